package social.feed.api.function;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.http.Api;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.SseClient;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.TestTable;
import social.feed.testkit.cost.Bill;

/**
 * The stream of a function: each response has the events that are there, and ends with the time
 * after which the client comes back. The tests of {@code social.feed.api.live} run here as well,
 * with a client that does so.
 */
@ExtendWith(FeedServerExtension.class)
class ITPolledStream {
  private static final String PATH = "/v1/stream";
  private static final Pattern ID = Pattern.compile("id: (\\S+)");

  /** The pauses of the settings {@code feed.live.poll} and {@code feed.live.idle-poll}. */
  private static final String SOON = "\nretry: 2000\n\n";

  private static final String LATER = "\nretry: 10000\n\n";

  private final TestTable table;
  private final SeedWorld world;
  private final Person ann;
  private final Person bob;
  private final Api caller;

  ITPolledStream(FeedServer server) {
    table = server.table();
    world = new SeedWorld(table.table(), new SteppingClock(Instant.now()));
    ann = world.user("ann");
    bob = world.user("bob");
    ann.follows(bob);
    caller = server.as(ann);
  }

  private Post delivered(String text) {
    Post post = bob.posts(text);
    world.feeds.deliver(List.of(FeedEntry.of(post.ref(), ann.id())));
    return post;
  }

  private String poll(String lastId) {
    return (lastId.isEmpty() ? caller : caller.with("Last-Event-ID", lastId)).whole(PATH);
  }

  private static String lastId(String response) {
    String last = "";
    for (Matcher ids = ID.matcher(response); ids.find(); ) {
      last = ids.group(1);
    }
    return last;
  }

  @Test
  void response_hasWhatIsThere_andTheClientMissesNothing_andGetsNothingTwice() {
    String first = poll("");
    assertThat(first).doesNotContain("data:").endsWith(LATER);
    Post one = delivered("one");
    Post two = delivered("two");

    String news = poll(lastId(first));
    assertThat(news).containsSubsequence(one.postId(), two.postId()).endsWith(SOON);
    assertThat(poll(lastId(news))).doesNotContain("data:").endsWith(LATER);

    // Between the events of one response, a broken connection costs none of them.
    Matcher ids = ID.matcher(news);
    assertThat(ids.find()).isTrue();
    assertThat(poll(ids.group(1))).doesNotContain(one.postId()).contains(two.postId());
  }

  /** As on an open stream; the caller's follows are remembered between polls. */
  @Test
  void pollWithoutNews_costsOneReadUnit() {
    delivered("before");
    Instant at = Timestamps.now(Clock.systemUTC());
    world.notifications.add(
        new Notification(
            ann.id(),
            TimeOrderedId.named(at, ann.id(), bob.id()),
            NotificationType.FOLLOW,
            bob.id(),
            null,
            at,
            false,
            4_000_000_000L));
    String id = lastId(poll(""));
    poll(id);

    try (Bill _ = table.bill();
        SseClient idle = caller.with("Last-Event-ID", id).stream(PATH)) {
      var headers = idle.response().headers();
      assertThat(headers.firstValue("X-Consumed-Read-Units")).hasValue("1");
      assertThat(headers.firstValue("X-Consumed-Write-Units")).hasValue("0");
    }
  }

  /** More than the reader builds at once. */
  @Test
  void response_hasAllPartsOfAPoll() {
    String first = poll("");
    List<Post> posts = IntStream.range(0, 45).mapToObj(i -> delivered("post " + i)).toList();

    assertThat(poll(lastId(first)))
        .containsSubsequence(posts.stream().map(Post::postId).toArray(String[]::new))
        .endsWith(SOON);
  }
}
