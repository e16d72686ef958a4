package social.feed.local;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import social.feed.engine.LocalDynamoDb;
import social.feed.engine.LocalQueue;
import social.feed.engine.eventsource.Checkpoints;
import social.feed.table.kernel.declaration.TableProvisioning;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.Post;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.LongRunning;
import social.feed.testkit.fault.HiddenAttribute;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * One caller hides and shows a post again and again, while other accounts post. The whole platform
 * runs in this process. Calls are the clock: before each call of the multiplexer that concerns the
 * flooded post, the caller changes it again, and after some of these changes another account posts.
 * So the effect of each change meets the next one, and each post of others is written in the middle
 * of the flood, however fast the machine is. All effects share one lane: with the ten that the
 * platform has, nine of ten posts of others never wait for the flooded one.
 */
@LongRunning
class ITFairness {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int FOLLOWERS = 3;
  private static final int OTHERS = 10;
  private static final int POSTS_OF_EACH = 3;

  /** More changes than a deployed API admits in a second. */
  private static final int CHANGES = 300;

  /** So that the last post of others is written before the last changes. */
  private static final int CHANGES_BEFORE_A_POST = 8;

  /**
   * A post waits for the batch that runs, and is in the next one. Each applies the flooded post's
   * changes once. 2 calls were seen, and up to 20 with the planted bug.
   */
  private static final int MOST_CALLS_BETWEEN = 5;

  @Test
  void flood_delaysPostsOfOthersByAFewCalls() {
    assertThat(calls(Wire.SOUND)).allMatch(each -> each <= MOST_CALLS_BETWEEN);
  }

  @Test
  void flood_whoseChangesAreNotCounted_isFoundOut() {
    assertThat(calls(new HiddenAttribute(Post.VISIBILITY_VERSION)))
        .anyMatch(each -> each > MOST_CALLS_BETWEEN);
  }

  /**
   * Returns the calls for the flooded post between the response to each post of others and its
   * delivery to all followers.
   */
  private static List<Integer> calls(Wire bug) {
    var flood = new Flood();
    try (var platform = new Platform(bug.over(flood))) {
      var flooder = platform.user("flooder");
      IntStream.range(0, FOLLOWERS).forEach(i -> platform.user("fan" + i).follows(flooder));
      var others = new ArrayList<Caller>();
      for (int i = 0; i < OTHERS; i++) {
        var other = platform.user("other" + i);
        platform.user("reader" + i).follows(other);
        others.add(other);
      }
      var flooded = flooder.writes("on and off");
      platform.drain();

      flood.begin(flooder, flooded, others);
      platform.drain();

      var between = new ArrayList<Integer>();
      flood.written.forEach(
          (post, before) ->
              between.add(Math.max(0, requireNonNull(flood.deliveries.get(post)) - before)));
      Collections.sort(between);
      System.out.printf(
          "flood: %d changes, %d calls for the post; between a post of others and its delivery %s%n",
          flood.changes.get(), flood.calls.get(), between);
      assertThat(flood.changes.get()).isGreaterThan(OTHERS * POSTS_OF_EACH);
      assertThat(between).hasSize(OTHERS * POSTS_OF_EACH);
      for (int i = 0; i < OTHERS; i++) {
        assertThat(platform.user("reader" + i).all("/v1/feed", "id", 10)).hasSize(POSTS_OF_EACH);
      }
      return between;
    }
  }

  /** Changes a post before each call that concerns it, and lets others post in the meantime. */
  private static final class Flood implements Wire {
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();

    /** Those that were accepted. */
    private final AtomicInteger changes = new AtomicInteger();

    /** Calls when each post of others had been written. */
    private final Map<String, Integer> written = new ConcurrentHashMap<>();

    /** Calls when each post had been delivered. */
    private final Map<String, Integer> deliveries = new ConcurrentHashMap<>();

    private volatile Runnable one = () -> {};
    private volatile String postId = "none";

    void begin(Caller flooder, String flooded, List<Caller> others) {
      postId = flooded;
      one =
          () -> {
            int number = sent.incrementAndGet();
            if (flooder.patch("/v1/posts/" + flooded, body(number)).status() == 200) {
              changes.incrementAndGet();
            }
            int due = number / CHANGES_BEFORE_A_POST;
            if (number % CHANGES_BEFORE_A_POST == 0 && due <= OTHERS * POSTS_OF_EACH) {
              written.put(others.get(due % OTHERS).writes("well"), calls.get());
            }
          };
      change();
    }

    void change() {
      if (sent.get() < CHANGES) {
        one.run();
      }
    }

    private static String body(int number) {
      return "{\"visibility\":\"%s\"}".formatted(number % 2 == 0 ? "public" : "private");
    }

    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      if (request.toString().contains(postId)) {
        calls.incrementAndGet();
        change();
      }
      A answer = table.apply(request);
      if (request instanceof PutItemRequest put) {
        var partition = requireNonNull(put.item().get("PK")).s();
        var prefix = FanOutPlan.key("x").partition().replace("x", "");
        if (partition.startsWith(prefix)) {
          deliveries.put(partition.substring(prefix.length()), calls.get());
        }
      }
      return answer;
    }
  }

  /** The platform with its multiplexer over a wire. */
  private static final class Platform implements AutoCloseable {
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final ApiServer api;
    private final LocalStreamControl control = new LocalStreamControl();

    Platform(Wire wire) {
      var engine = opened(LocalDynamoDb.start());
      try (var client = engine.newClient()) {
        new TableProvisioning(client, FeedTable.DECLARATION).ensure(PlatformSettings.TABLE);
      }
      var queue = opened(LocalQueue.start());
      var multiplexer =
          opened(
              new LocalMultiplexer(
                  WiredClient.of(engine.newClient(), wire),
                  engine.newStreamsClient(),
                  queue.newClient(),
                  PlatformSettings.TABLE,
                  LocalMultiplexer.Setup.of(
                      Queues.in(queue), new CelebrityRule(PlatformSettings.CELEBRITY_THRESHOLD))));
      var stream = opened(multiplexer.follow(Checkpoints.inMemory(), 1));
      engine.onWrite(stream::wake);
      control.attach(stream);
      var media = opened(TemporaryMedia.create());
      api =
          opened(
              ApiServer.prepare(0, engine.endpoint(), Secrets.random(), media.folder(), control));
      api.listen();
    }

    private <P extends AutoCloseable> P opened(P part) {
      parts.push(part);
      return part;
    }

    Caller user(String id) {
      return Caller.registered(api.url(), id);
    }

    void drain() {
      assertThat(control.drain(PATIENCE)).isEmpty();
    }

    @Override
    public void close() {
      parts.forEach(
          part -> {
            try {
              part.close();
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
    }
  }
}
