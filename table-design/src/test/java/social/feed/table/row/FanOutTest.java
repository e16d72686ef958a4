package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How a post reaches feeds: its mode, the plan of its fan-out and the chunks. */
class FanOutTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:15:00Z");

  private final FanOutPlan begun = FanOutPlan.begun("p", "one", NOW, 9);

  private static Post post(Visibility visibility, FanOutMode mode) {
    return new Post(
        "p", "ann", "t", List.of(), List.of(), visibility, null, NOW, 4, mode, 0, 0, Map.of());
  }

  @Test
  void plan_isServedAtOnce_onlyIfThisRowHoldsTheWholeResult() {
    assertThat(begun.isServedAtOnce()).isFalse();
    assertThat(FanOutPlan.served("p", 2, 1, NOW, 9).isServedAtOnce()).isTrue();
    assertThat(begun.planned(3, NOW).isServedAtOnce()).isFalse();
    assertThat(begun.failed(NOW).isServedAtOnce()).isFalse();
  }

  @Test
  void plan_keepsPostIdStartAndExpiry_whateverItBecomes() {
    var later = NOW.plusSeconds(5);

    assertThat(begun.planned(3, later))
        .isEqualTo(new FanOutPlan("p", "one", 3, 0, 0, NOW, later, null, 9));
    assertThat(begun.failed(later))
        .isEqualTo(new FanOutPlan("p", "one", 0, 0, 0, NOW, null, later, 9));
    assertThat(FanOutPlan.served("p", 2, 1, later, 9))
        .isEqualTo(new FanOutPlan("p", null, 0, 2, 1, later, later, null, 9));
  }

  @Test
  void chunk_hasThePartitionsOfItsPost_andOtherBoundsChangeNothingElse() {
    var chunk = chunkOf(begun);

    assertThat(chunk)
        .isEqualTo(new FanOutChunk("p", 4, 2, "a", "m", 500, "one", null, null, 0, 0, null, 9));
    assertThat(chunk.between("b", "c"))
        .isEqualTo(new FanOutChunk("p", 4, 2, "b", "c", 500, "one", null, null, 0, 0, null, 9));
    assertThat(chunk.asUntried())
        .isEqualTo(new FanOutChunk("p", 4, 2, "a", "m", 500, "one", true, null, 0, 0, null, 9));
  }

  @Test
  void chunk_isOfThePlanWithItsId_andOfNoOtherOfTheSameTime() {
    var other = FanOutPlan.begun("p", "other", NOW, 9);

    assertThat(chunkOf(begun).isOf(begun)).isTrue();
    assertThat(chunkOf(begun).isOf(begun.planned(3, NOW.plusSeconds(5)))).isTrue();
    assertThat(chunkOf(other).isOf(begun)).isFalse();
    assertThat(chunkOf(withoutId(9)).isOf(begun)).isFalse();
  }

  /** An earlier version does not know the id, and rewrites the plan without it. */
  @Test
  void chunk_isOfAPlanOfAnEarlierVersion_withTheSameExpiry() {
    var earlier = withoutId(9);

    assertThat(chunkOf(earlier).isOf(earlier)).isTrue();
    assertThat(chunkOf(begun).isOf(earlier)).isTrue();
    assertThat(chunkOf(withoutId(8)).isOf(earlier)).isFalse();
  }

  @Test
  void chunk_reachesTheFollowersBetweenItsBounds_andAtThem() {
    var chunk = chunkOf(begun).between("bob", "eve");

    assertThat(List.of("bob", "boc", "carl", "eve")).allMatch(chunk::reaches);
    assertThat(List.of("ann", "boa", "evf", "zoe")).noneMatch(chunk::reaches);
    assertThat(chunk.between("bob", "bob").reaches("bob")).as("of one").isTrue();
  }

  private static FanOutPlan withoutId(long expiresAt) {
    return new FanOutPlan("p", null, 0, 0, 0, NOW, null, null, expiresAt);
  }

  private static FanOutChunk chunkOf(FanOutPlan plan) {
    return FanOutChunk.of(plan, post(Visibility.PUBLIC, FanOutMode.PUSH), 2, "a", "m", 500);
  }

  @Test
  void mode_isPullForACelebrity() {
    var user = User.registered("ann", "ann", "Ann", null, NOW);
    var celebrity = new User("ann", "ann", "Ann", null, NOW, 9, 0, 0, 0, true, 1, Map.of());

    assertThat(FanOutMode.of(user)).isEqualTo(FanOutMode.PUSH);
    assertThat(FanOutMode.of(celebrity)).isEqualTo(FanOutMode.PULL);
  }

  @Test
  void post_isInFeedsOfOthers_unlessPrivate_andStoredThereUnlessPulled() {
    var pushed = post(Visibility.FOLLOWERS, FanOutMode.PUSH);
    var pulled = post(Visibility.FOLLOWERS, FanOutMode.PULL);
    var secret = post(Visibility.PRIVATE, FanOutMode.PUSH);

    assertThat(List.of(pushed, pulled, secret))
        .extracting(post -> post.mayBeInFeedOf("bob"), post -> post.mayBeStoredFor("bob"))
        .containsExactly(tuple(true, true), tuple(true, false), tuple(false, false));
    assertThat(List.of(pushed, pulled, secret))
        .allMatch(post -> post.mayBeInFeedOf("ann") && post.mayBeStoredFor("ann"));
  }

  @Test
  void mentioning_changesOnlyTheMentions() {
    var mention = new Mention("Bob", "bob");
    var mentioning = post(Visibility.PUBLIC, FanOutMode.PULL).mentioning(List.of(mention));

    assertThat(mentioning.mentions()).containsExactly(mention);
    assertThat(mentioning.mentioning(List.of()))
        .isEqualTo(post(Visibility.PUBLIC, FanOutMode.PULL));
  }

  @Test
  void entry_atItsPosition_isTheEntryThatWasWritten() {
    var entry = FeedEntry.of(post(Visibility.PUBLIC, FanOutMode.PUSH).ref(), "bob");
    var position = Keys.feedSort(entry.createdAt(), entry.shard(), entry.postId());
    var ref = FeedRef.at(position, "ann");

    assertThat(ref).isEqualTo(new FeedRef("p", "ann", NOW));
    assertThat(FeedEntry.at(position, "bob", ref)).isEqualTo(entry);
  }
}
