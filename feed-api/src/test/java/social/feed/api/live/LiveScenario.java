package social.feed.api.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import social.feed.api.http.Api;
import social.feed.api.http.FeedServer;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Keys;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.SseClient;
import social.feed.testkit.SseClient.Received;
import social.feed.testkit.SteppingClock;

/** A reader who follows two others, and a server whose streams poll often. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LiveScenario {
  static final String PATH = "/v1/stream";
  static final long LATER = 4_000_000_000L;
  static final int MOST = 60;
  static final Map<String, Object> QUICK =
      Map.of(
          "feed.live.poll", "30ms",
          "feed.live.idle-poll", "60ms",
          "feed.live.heartbeat", "200ms",
          "feed.live.catch-up-events", MOST,
          "feed.pull.registry-cached", "0s",
          "feed.limits.request-time", "1s");

  final FeedServer server = FeedServer.start(QUICK);
  SteppingClock clock = new SteppingClock(Instant.now());
  SeedWorld world = new SeedWorld(server.table().table(), clock);
  Person ann = world.user("ann");
  Person bob = world.user("bob");
  Person carol = world.user("carol");
  Api caller = server.as(ann);

  @AfterAll
  void stop() {
    server.close();
  }

  @BeforeEach
  void begin() {
    clock = new SteppingClock(Instant.now());
    world = new SeedWorld(server.table().table(), clock);
    ann = world.user("ann");
    bob = world.user("bob");
    carol = world.user("carol");
    caller = server.as(ann);
    ann.follows(bob);
    ann.follows(carol);
  }

  /** Delivers a post as the table's stream does. */
  Post delivered(Post post) {
    world.feeds.deliver(List.of(FeedEntry.of(post.ref(), ann.id())));
    return post;
  }

  /** Creates a post half a minute old, without its delivery. */
  Post early(String text) {
    var before = new SteppingClock(Instant.now().minusSeconds(30));
    return new SeedWorld(server.table().table(), before).by(bob).posts(text);
  }

  Notification notified(Person who, Person by) {
    var at = Timestamps.now(clock);
    var id = TimeOrderedId.named(at, who.id(), by.id());
    var notification =
        new Notification(who.id(), id, NotificationType.FOLLOW, by.id(), null, at, false, LATER);
    world.notifications.add(notification);
    return notification;
  }

  SseClient stream() {
    return caller.stream(PATH);
  }

  SseClient back(String lastId) {
    return caller.with("Last-Event-ID", lastId).stream(PATH);
  }

  static String key(Post post, Person reader) {
    int shard = FeedEntry.shard(post.postId(), reader.id(), post.feedShards());
    return Keys.feedSort(post.createdAt(), shard, post.postId());
  }

  Received expect(SseClient events, Post post) {
    Received event = events.next();
    assertThat(event.name()).as("%s", event).isEqualTo("feed_entry");
    assertThat(event.data()).contains("\"id\":\"" + post.postId() + "\"");
    return event;
  }

  /** Asserts that no other event precedes the next one. */
  void expectNothingElse(SseClient events) {
    expect(events, delivered(carol.posts("the next")));
  }
}
