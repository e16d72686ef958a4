package social.feed.api.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import social.feed.api.http.FeedServer;
import social.feed.api.http.ServerOnly;
import social.feed.api.http.ThrottlingWire;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SseClient;
import social.feed.testkit.SteppingClock;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;

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
}
