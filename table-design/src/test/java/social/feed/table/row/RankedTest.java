package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.declaration.Index;

/** The rows of counts: which row counts a key, and how counts add up. */
class RankedTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final Duration HALF_LIFE = Duration.ofHours(6);
  private static final Map<String, String> MARKS = Map.of("shard", "7");
  private static final String HOUR = "2026-11-20T12";

  @Test
  void of_theKeyOfACount_isItsEmptyRow() {
    assertThat(Ranked.of(TopAuthor.key(NOON, "ann"), "shard"))
        .contains(TopAuthor.empty("2026-11", "ann"));
    assertThat(Ranked.of(TagTrend.key(HALF_LIFE, "sea"), "shard"))
        .contains(TagTrend.empty(6, "sea"));
    assertThat(Ranked.of(TagUses.key(HALF_LIFE, "sea", NOON), "shard"))
        .contains(TagUses.empty(6, "sea", HOUR, "shard"));
  }

  @Test
  void of_anyOtherKey_isNoRow() {
    assertThat(Ranked.of(User.key("ann"), "shard")).isEmpty();
    assertThat(Ranked.of(new Key(Keys.user("ann"), HOUR), "shard")).isEmpty();
    var fence = Fence.key(Keys.trend(6, "sea"), "f00d", true);
    assertThat(Ranked.of(fence, "shard")).isEmpty();
  }

  @Test
  void key_ofAnEmptyRow_isThatOfTheShard() {
    var uses = TagUses.empty(6, "sea", HOUR, "shard");

    assertThat(uses.key()).isEqualTo(new Key("TREND#6#sea", HOUR + "#SHARD#shard"));
    assertThat(uses.trend().key()).isEqualTo(TagTrend.key(HALF_LIFE, "sea"));
  }

  /** Otherwise a batch that comes again finds no checkpoint and counts twice. */
  @Test
  void usesOfAShard_expireHoursAfterTheLastOneIsCounted() {
    var counted = TagUses.key(HALF_LIFE, "sea", NOON);
    var expiry = Instant.ofEpochSecond(TagUses.empty(6, "sea", HOUR, "shard").expiresAt());

    assertThat(TagUses.isPast(counted, NOON.plus(HALF_LIFE.multipliedBy(16)))).isFalse();
    assertThat(TagUses.isPast(counted, expiry.minus(Duration.ofHours(20)))).isTrue();
  }

  /** Eight half-lives after the last use of the tag, whose list shows eight more, and a day. */
  @Test
  void usesOfAnHour_arePast_onceNoListCanShowTheHour() {
    var counted = TagUses.key(HALF_LIFE, "sea", NOON);
    var next = NOON.plus(HALF_LIFE.multipliedBy(16)).plus(Duration.ofDays(1)).plusSeconds(3_600);

    assertThat(TagUses.isPast(counted, next.minusMillis(1))).isFalse();
    assertThat(TagUses.isPast(counted, next)).isTrue();
    assertThat(TagUses.isPast(TagTrend.key(HALF_LIFE, "sea"), next)).as("not of uses").isFalse();
  }

  @Test
  void plus_addsAllChanges_andTakesTheCheckpoints() {
    var uses = TagUses.empty(6, "sea", HOUR, "shard").plus(Map.of("a", 3L, "b", -1L), MARKS);
    var month =
        TopAuthor.empty("2026-11", "ann")
            .plus(Map.of("a", 3L, "b", -1L), MARKS)
            .plus(Map.of(), MARKS);

    assertThat(uses)
        .extracting(TagUses::uses, TagUses::revision, TagUses::marks)
        .containsExactly(2L, 1L, MARKS);
    assertThat(uses.plus(Map.of("a", 1L), MARKS).uses()).isEqualTo(3);
    assertThat(month)
        .extracting(TopAuthor::gained, TopAuthor::revision, TopAuthor::marks)
        .containsExactly(2L, 2L, MARKS);
    assertThat(month.row()).isEqualTo(month);
    assertThat(uses.row()).isEqualTo(uses);
  }

  @Test
  void recounted_addsTheDifference_andNotesThatItDid() {
    var month = TopAuthor.empty("2026-11", "ann", MARKS).recounted(TopAuthor.GAINED, 5);
    var again = month.recounted(TopAuthor.GAINED, -2);

    assertThat(again)
        .isEqualTo(new TopAuthor("2026-11", "ann", 3, 2, MARKS, Map.of(TopAuthor.GAINED, 2L)));
    var trend = TagTrend.empty(6, "sea").recounted(HOUR, 4);
    assertThat(trend.uses()).containsEntry(HOUR, 4L);
    assertThat(trend.recounts()).containsEntry(HOUR, 1L);
    assertThat(trend.row()).isEqualTo(trend);
  }

  @Test
  void rank_isThatOfThePositiveNumber() {
    var one = TopAuthor.empty("2026-11", "ann").recounted(TopAuthor.GAINED, 1);

    assertThat(TopAuthor.empty("2026-11", "ann").indexKeys()).isEmpty();
    assertThat(one.indexKeys())
        .containsEntry(
            Index.POSTS_BY_AUTHOR, new Key(one.key().partition(), "000000000000001#USER#ann"));
    assertThat(one.indexedNumber()).contains("revision");
    assertThat(User.standing("ann", 0)).isEmpty();
    assertThat(User.standing("ann", 1)).hasSize(1);
    assertThat(User.registered("ann", "a", "A", null, NOON).indexedNumber())
        .isEqualTo(Optional.of("followers_count"));
  }
}
