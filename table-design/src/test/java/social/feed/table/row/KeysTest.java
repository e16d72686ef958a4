package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {
  private static final Instant TIME = Instant.parse("2026-11-20T09:15:00.5Z");

  @ParameterizedTest
  @ValueSource(strings = {"a", "alice_1-x", "münchen", "日本", "😀", " ", "a b", "%23", "🏳️‍🌈"})
  void part_withoutSeparator_isItself(String value) {
    assertThat(Keys.part(value)).isSameAs(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "#", "a#b", "a#", "#a", "a\u0000b", "a\nb", "\u001f", "\u007f"})
  void part_separatorControlCharacterOrEmpty_isRejected(String value) {
    assertThatIllegalArgumentException().isThrownBy(() -> Keys.part(value));
  }

  @Test
  void part_everyControlCharacter_isRejected() {
    IntStream.rangeClosed(0, Character.MAX_VALUE)
        .filter(Character::isISOControl)
        .forEach(
            c ->
                assertThatIllegalArgumentException()
                    .isThrownBy(() -> Keys.part("a" + Character.toString(c))));
  }

  @Test
  void part_256Characters_isTheLongest() {
    assertThat(Keys.part("a".repeat(256))).hasSize(256);
    assertThatIllegalArgumentException().isThrownBy(() -> Keys.part("a".repeat(257)));
  }

  static List<UnaryOperator<String>> keysOfOneValue() {
    return List.of(
        Keys::user,
        Keys::unread,
        Keys::handle,
        Keys::post,
        Keys::likesOf,
        Keys::tag,
        Keys::comment,
        Keys::like,
        Keys::followee,
        Keys::follower,
        Keys::block,
        Keys::blockedBy,
        Keys::mute,
        Keys::feed,
        value -> Keys.fanout(value, 0),
        value -> Keys.feedSort(TIME, 0, value),
        value -> Keys.notification(TIME, value),
        value -> Keys.unreadSort(TIME, value),
        value -> Keys.idempotency(value, "k"),
        value -> Keys.idempotency("u", value));
  }

  @ParameterizedTest
  @MethodSource("keysOfOneValue")
  void key_ofValueWithSeparator_isRejected(UnaryOperator<String> key) {
    assertThatIllegalArgumentException().isThrownBy(() -> key.apply("alice#META"));
  }

  @Test
  void handle_anyCase_isOneKey() {
    assertThat(Keys.handle("Ann_Lee"))
        .isEqualTo(Keys.handle("ANN_LEE"))
        .isEqualTo("HANDLE#ann_lee");
  }

  @Test
  void keys_ofTheTable_areTheWireFormat() {
    assertThat(Keys.user("u")).isEqualTo("USER#u");
    assertThat(Keys.unread("u")).isEqualTo("USER#u#UNREAD");
    assertThat(Keys.post("p")).isEqualTo("POST#p");
    assertThat(Keys.likesOf("p")).isEqualTo("POST#p#LIKES");
    assertThat(Keys.tag("t")).isEqualTo("TAG#t");
    assertThat(Keys.comment("c")).isEqualTo("COMMENT#c");
    assertThat(Keys.like("u")).isEqualTo("LIKE#u");
    assertThat(Keys.followee("u")).isEqualTo("FOLLOWEE#u");
    assertThat(Keys.follower("u")).isEqualTo("FOLLOWER#u");
    assertThat(Keys.block("u")).isEqualTo("BLOCK#u");
    assertThat(Keys.blockedBy("u")).isEqualTo("BLOCKEDBY#u");
    assertThat(Keys.mute("u")).isEqualTo("MUTE#u");
    assertThat(Keys.fanout("p", 3)).isEqualTo("FANOUT#p#3");
    assertThat(Keys.feed("u")).isEqualTo("FEED#u");
    assertThat(Keys.feedSort(TIME, 3, "p")).isEqualTo("2026-11-20T09:15:00.500Z#3#POST#p");
    assertThat(Keys.notification(TIME, "n")).isEqualTo("NOTIF#2026-11-20T09:15:00.500Z#n");
    assertThat(Keys.unreadSort(TIME, "n")).isEqualTo("2026-11-20T09:15:00.500Z#n");
    assertThat(Keys.timed(TIME, "x")).isEqualTo("2026-11-20T09:15:00.500Z#x");
    assertThat(Keys.effectMark("e")).isEqualTo("EVT#e");
    assertThat(Keys.idempotency("u", "k")).isEqualTo("IDEMP#u#k");
  }

  @Test
  void partsOfAKey_areThoseItWasMadeFrom() {
    var key = new Key(Keys.trend(6, "t"), Keys.uses("2026-11-20T09", "shard"));
    assertThat(Keys.hourOfUses(key)).contains("2026-11-20T09");
    assertThat(Keys.hourOfUses(new Key(Keys.trend(6, "t"), Keys.META))).isEmpty();
    assertThat(Keys.hourOfUses(new Key(Keys.user("t"), key.sort()))).isEmpty();
    assertThat(EngagementRef.at(Keys.timed(TIME, Keys.post("p"))))
        .isEqualTo(new EngagementRef("p", TIME));
    assertThat(CommentRef.at(Keys.commented(TIME, "p", "c"))).isEqualTo(new CommentRef("p", "c"));
    assertThat(Keys.fannedOutPost(Keys.fanout("p", 3))).isEqualTo("p");
    assertThat(Keys.scoredUser(Keys.scored(7, Keys.user("u")))).isEqualTo("u");
    assertThat(Keys.score(Keys.scored(7, Keys.user("u")))).isEqualTo(7);
    assertThat(Keys.month(TIME)).isEqualTo("2026-11");
    assertThat(Keys.startOf(Keys.hour(TIME))).isEqualTo(Instant.parse("2026-11-20T09:00:00Z"));
    assertThat(Keys.accountOf(Keys.followee("u"))).contains("u");
    assertThat(Keys.accountOf(Keys.post("p"))).isEmpty();
  }

  @Test
  void score_outsideTheWidth_isRejected() {
    assertThat(Keys.scored(0, "x")).isEqualTo("000000000000000#x");
    assertThat(Keys.scored(999_999_999_999_999L, "x")).isEqualTo("999999999999999#x");
    for (long score : new long[] {-1, 1_000_000_000_000_000L}) {
      assertThatIllegalArgumentException().isThrownBy(() -> Keys.scored(score, "x"));
    }
  }

  @Test
  void endOf_aTime_sortsAfterAllKeysOfThatTimeOnly() {
    assertThat(Keys.endOf(TIME))
        .isGreaterThan(Keys.timed(TIME, "\uFFFF"))
        .isLessThan(Keys.timed(TIME.plusMillis(1), ""));
  }
}
