package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.counter.Fences;
import social.feed.table.counter.Fences.Passage;
import social.feed.table.counter.Fences.Place;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.Fence;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The test plays the lane of counts. */
@ExtendWith(EngineExtension.class)
class ITFences {
  private static final String SHARD = "shardId-00000001";
  private static final String OTHER_SHARD = "shardId-00000002";

  @Test
  void place_isPassed_onceTheLaneHasPassedBothFencesInOneShard(TestTable table, SeedWorld world) {
    var place = Place.counts(world.user("alice").posts("x").key().partition());
    var fences = new Fences(table.table(), table.clock());

    var name = fences.raise(List.of(place));
    assertThat(fences.passages(name, Set.of(place))).containsEntry(place, Passage.WAITING);
    pass(table, SHARD, place, name, false);
    assertThat(fences.passages(name, Set.of(place))).containsEntry(place, Passage.WAITING);
    pass(table, SHARD, place, name, true);

    assertThat(fences.passages(name, Set.of(place))).containsEntry(place, Passage.PASSED);
  }

  /** Between the fences, a third shard may hold rows that no fence covers. */
  @Test
  void place_isDivided_whereItsFencesArePassedInTwoShards(TestTable table, SeedWorld world) {
    var place = Place.counts(world.user("alice").posts("x").key().partition());
    var fences = new Fences(table.table(), table.clock());

    var name = fences.raise(List.of(place));
    pass(table, SHARD, place, name, false);
    pass(table, OTHER_SHARD, place, name, true);

    assertThat(fences.passages(name, Set.of(place))).containsEntry(place, Passage.DIVIDED);
  }

  @Test
  void passage_ofAFenceThatIsGone_isNotThere(TestTable table, SeedWorld world) {
    var place = Place.counts(world.user("alice").posts("x").key().partition());
    var fences = new Fences(table.table(), table.clock());
    var name = fences.raise(List.of(place));

    var fence = Fence.key(place.partition(), name, true);
    table.table().delete(fence);
    pass(table, SHARD, place, name, true);

    assertThat(table.table().get(fence)).isEmpty();
    assertThat(fences.passages(name, Set.of(place))).containsEntry(place, Passage.WAITING);
  }

  /** A fence that was passed before another item of its batch would prove too much. */
  @Test
  void apply_ofABatchWithAFence_passesItAfterAllOtherItems(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");
    var place = Place.counts(post.key().partition());
    var name = new Fences(table.table(), table.clock()).raise(List.of(place));
    var fence = Fence.key(place.partition(), name, false);
    var batch = new LinkedHashMap<Key, List<CountChange>>();
    batch.put(fence, List.of(Sequence.change(1, Fence.PASSED, 1)));
    batch.put(post.key(), List.of(Sequence.change(2, Post.LIKES_COUNT, 1)));
    batch.put(
        TopAuthor.key(post.createdAt(), post.authorId()),
        List.of(Sequence.change(3, TopAuthor.GAINED, 1)));

    var requests = Observed.of(table, () -> apply(table, SHARD, batch)).requests();

    assertThat(requests.stream().flatMap(ITFences::written))
        .hasSize(3)
        .last()
        .isEqualTo(KeyAttributes.of(fence));
  }

  /** Otherwise the runner would apply the fence by itself, before a throttled item of the batch. */
  @Test
  void apply_ofAnItemThatCanNeverBeCounted_makesTheFenceComeAgain(
      TestTable table, SeedWorld world) {
    var author = world.user("alice");
    var place = Place.counts(author.posts("x").key().partition());
    var name = new Fences(table.table(), table.clock()).raise(List.of(place));
    var fence = Fence.key(place.partition(), name, false);
    var malformed = User.key(author.id());
    var batch = new LinkedHashMap<Key, List<CountChange>>();
    batch.put(malformed, List.of(Sequence.change(1, Post.LIKES_COUNT, 1)));
    batch.put(fence, List.of(Sequence.change(2, Fence.PASSED, 1)));

    var failures = new Counters(table.table(), new CelebrityRule(10)).applyEach(SHARD, batch);

    assertThat(failures.get(malformed)).isInstanceOf(IllegalStateException.class);
    assertThat(failures.get(fence)).isInstanceOf(ThrottledException.class);
    assertThat(((Fence) row(table, fence)).passed()).isZero();
  }

  private static Row row(TestTable table, Key key) {
    return RowCodec.decode(table.table().get(key).orElseThrow());
  }

  @Test
  void fence_costsFourWriteUnitsAPlace_andOneReadUnitALook(TestTable table, SeedWorld world) {
    var place = Place.counts(world.user("alice").posts("x").key().partition());
    var fences = new Fences(table.table(), table.clock());
    var name = fences.raise(List.of(place));

    var raised = TestTable.costOf(() -> fences.raise(List.of(place)));
    var passed =
        TestTable.costOf(
            () -> {
              pass(table, SHARD, place, name, false);
              pass(table, SHARD, place, name, true);
            });
    var looked = TestTable.costOf(() -> fences.passages(name, Set.of(place)));

    assertThat(raised).isEqualTo(new ConsumedUnits(0, 2));
    assertThat(passed).isEqualTo(new ConsumedUnits(1, 2));
    assertThat(looked).isEqualTo(new ConsumedUnits(1, 0));
  }

  @Test
  void tableWithAStream_needsFences(TestTable table) {
    assertThat(new Fences(table.table(), table.clock()).areNeeded()).isTrue();
  }

  private static void pass(TestTable table, String shard, Place place, String name, boolean last) {
    var fence = Fence.key(place.partition(), name, last);
    apply(table, shard, Map.of(fence, List.of(Sequence.change(1, Fence.PASSED, 1))));
  }

  private static boolean apply(TestTable table, String shard, Map<Key, List<CountChange>> changes) {
    new Counters(table.table(), new CelebrityRule(10)).apply(shard, changes);
    return true;
  }

  private static Stream<Map<String, AttributeValue>> written(Object request) {
    return switch (request) {
      case UpdateItemRequest update -> Stream.of(update.key());
      case PutItemRequest put ->
          Stream.of(Map.of("PK", put.item().get("PK"), "SK", put.item().get("SK")));
      default -> Stream.empty();
    };
  }
}
