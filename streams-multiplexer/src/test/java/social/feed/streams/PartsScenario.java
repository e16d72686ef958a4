package social.feed.streams;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import social.feed.streams.effect.ContinueCleanUpHandler.ContinueCleanUp;
import social.feed.streams.effect.Effect;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostCleanUp.Cause;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld.Person;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;

/** An author with followers, whose posts are removed in parts of three rows. */
abstract class PartsScenario {
  static final int PART = 3;
  static final int FANS = 8;

  StreamHarness harness;
  Person ann;
  List<Person> fans;

  @BeforeEach
  final void start() {
    harness = StreamHarness.startTraced(PART, Optional.empty());
    ann = harness.world.user("ann");
    fans = IntStream.range(0, FANS).mapToObj(i -> harness.world.user("fan" + i)).toList();
    fans.forEach(fan -> fan.follows(ann));
    fans.forEach(this::prepare);
    harness.drain();
  }

  @AfterEach
  final void stop() {
    harness.close();
  }

  /** Does what a fan has done beyond to follow, before the first event of a test. */
  void prepare(Person fan) {}

  final Post change(Post post, Visibility visibility) {
    return harness.world.posts.changeVisibility(post.postId(), ann.id(), visibility).orElseThrow();
  }

  final void apply(Effect effect) {
    harness.handlers.apply(List.of(effect));
  }

  static ContinueCleanUp part(PostCleanUp order) {
    return new ContinueCleanUp(
        order.postId(), order.cause(), order.revision(), StreamHarness.NOTIFICATIONS_LIVE);
  }

  final Optional<PostCleanUp> order(Post post, Cause cause) {
    return harness.rows().stream()
        .filter(row -> row.key().equals(PostCleanUp.key(post.postId(), cause)))
        .map(PostCleanUp.class::cast)
        .findFirst();
  }

  final void continueAll(Post post, Cause cause) {
    for (var next = order(post, cause); next.isPresent(); next = order(post, cause)) {
      apply(part(next.get()));
    }
  }

  static boolean removesInBulk(SdkRequest request) {
    return request instanceof BatchWriteItemRequest batch
        && batch.requestItems().values().stream()
            .flatMap(List::stream)
            .anyMatch(write -> write.deleteRequest() != null);
  }
}
