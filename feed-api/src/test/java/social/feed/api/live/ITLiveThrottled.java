package social.feed.api.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import social.feed.api.edge.security.TestViewer;
import social.feed.api.home.FeedReadTracker;
import social.feed.api.http.FeedServer;
import social.feed.api.http.ServerOnly;
import social.feed.api.http.ThrottlingWire;
import social.feed.table.home.PullRegistry;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;
import social.feed.testkit.Polling;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SseClient;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Streams while the table throttles. */
@ServerOnly
class ITLiveThrottled {
  /** Longer than the table repeats a read. */
  private static final Duration REFUSED = Duration.ofSeconds(3);

  @Test
  void partWhoseReadIsThrottled_isSentLater() {
    var wire = new ThrottlingWire();
    try (FeedServer server = FeedServer.start(new HashMap<>(LiveScenario.QUICK), wire)) {
      var past = new SteppingClock(Instant.now().minus(Duration.ofMinutes(10)));
      var world = new SeedWorld(server.table().table(), past);
      var ann = world.user("ann");
      var bob = world.user("bob");
      ann.follows(bob);
      List<Post> posts = new ArrayList<>();
      for (int i = 0; i < 2 * LiveEventReader.PART + 11; i++) {
        var post = bob.posts("" + i);
        world.feeds.deliver(List.of(FeedEntry.of(post.ref(), ann.id())));
        posts.add(post);
      }
      String id = LiveScenario.key(posts.getFirst(), ann);
      var missed = posts.subList(1, posts.size());
      // Of the second part of three. The third can be read all the time.
      String middle = missed.get(LiveEventReader.PART + 5).postId();
      var began = new AtomicLong();
      wire.refuse(
          request -> {
            if (!(request instanceof BatchGetItemRequest) || !request.toString().contains(middle)) {
              return false;
            }
            long now = System.nanoTime();
            began.compareAndSet(0, now);
            return now - began.get() < REFUSED.toNanos();
          });
      try (SseClient events = server.as(ann).with("Last-Event-ID", id).stream("/v1/stream")) {
        for (Post post : missed) {
          var event = events.next();
          assertThat(event.name()).as("%s", event).isEqualTo("feed_entry");
          assertThat(event.data()).contains("\"id\":\"" + post.postId() + "\"");
        }
      }
      assertThat(wire.refusals()).isPositive();
    }
  }

  /** All polls that may run at a time hang, and one more stream waits for its turn. */
  @Test
  void streamThatWaitsForItsPoll_sendsHeartbeats_andNoticesThatItsClientHasGone() {
    int polls = 16;
    var isSlow = new AtomicBoolean();
    var hanging = new AtomicInteger();
    var ends = new CountDownLatch(1);
    var wire =
        new Wire() {
          @Override
          public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
            if (isSlow.get() && request instanceof QueryRequest) {
              hanging.incrementAndGet();
              try {
                ends.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            }
            return table.apply(request);
          }
        };
    var settings = new HashMap<>(LiveScenario.QUICK);
    settings.put("feed.live.streams-per-user", polls + 1);
    try (FeedServer server = FeedServer.start(settings, wire)) {
      try {
        var ann = server.as(server.world().user("ann"));
        List<SseClient> clients = new ArrayList<>();
        for (int i = 0; i <= polls; i++) {
          var client = ann.stream(LiveScenario.PATH);
          client.begin();
          clients.add(client);
        }
        var streams = server.bean(LiveStreams.class);
        isSlow.set(true);
        Polling.until(() -> hanging.get() == polls);

        Map<LiveStream, Integer> before =
            streams.open().stream().collect(Collectors.toMap(stream -> stream, LiveStream::sent));
        Polling.until(
            () -> before.entrySet().stream().anyMatch(e -> e.getKey().sent() > e.getValue() + 1));

        clients.forEach(SseClient::close);
        Polling.until(() -> streams.open().size() == polls);
      } finally {
        ends.countDown();
      }
    }
  }

  @Test
  void followsThatCannotBeRead_areReadByTheNextPoll() {
    var wire = new ThrottlingWire();
    try (FeedServer server = FeedServer.start(new HashMap<>(LiveScenario.QUICK), wire)) {
      var table = server.table().table();
      var time = new SteppingClock(Instant.now());
      var ann = server.world().user("ann");
      var star = server.world().user("star");
      ann.follows(star);
      var reader =
          new LiveEventReader(
              TestViewer.of(ann.id(), table, Clock.systemUTC()),
              server.bean(LiveSources.class),
              server.bean(FeedReadTracker.class),
              server.bean(LiveConfiguration.class),
              time);
      reader.first(null);
      new PullRegistry(table).change(star.id(), Instant.EPOCH, row -> row);
      server
          .world()
          .posts
          .create(SamplePosts.of(star.id(), Timestamps.now(Clock.systemUTC()), FanOutMode.PULL));
      time.advance(Duration.ofSeconds(31));
      wire.refuseAfter(0);
      assertThatThrownBy(reader::next).hasMessageContaining("injected");

      wire.cease();

      assertThat(reader.next()).extracting(LiveEvent::name).containsExactly(LiveEvent.FEED_ENTRY);
    }
  }
}
