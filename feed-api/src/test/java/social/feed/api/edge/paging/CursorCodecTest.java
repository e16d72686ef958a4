package social.feed.api.edge.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.edge.problem.ProblemException;

class CursorCodecTest {
  private static final String SECRET = "0123456789abcdef0123456789abcdef";
  private static final CursorScope SCOPE = new CursorScope("alice", "FEED-002", "bob");
  private static final String POSITION = "{\"PK\":\"größer\"}";

  private static final String NEXT = SECRET.replace('0', '1');

  private final CursorCodec codec = signing(SECRET, null);

  private static CursorCodec signing(String secret, @Nullable String other) {
    return new CursorCodec(new CursorConfiguration(secret, other));
  }

  private void assertRefused(CursorScope scope, String cursor) {
    assertThatThrownBy(() -> codec.decode(scope, cursor))
        .as(cursor)
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("cursor");
  }

  @Test
  void decode_ofItsOwnCursor_isThePosition() {
    assertThat(codec.decode(SCOPE, codec.encode(SCOPE, POSITION))).isEqualTo(POSITION);
    assertThat(codec.decode(SCOPE, codec.encode(SCOPE, ""))).isEmpty();
  }

  /** The position may belong to an item that the caller may not see. */
  @Test
  void cursor_doesNotRevealItsPosition() {
    String position = "2026-11-20T09:15:00.500Z#POST#".repeat(9);
    byte[] token = Base64.getUrlDecoder().decode(codec.encode(SCOPE, position));
    String shown = new String(token, StandardCharsets.ISO_8859_1);

    for (int from = 0; from + 4 <= position.length(); from++) {
      assertThat(shown).doesNotContain(position.substring(from, from + 4));
    }
    assertThat(codec.decode(SCOPE, codec.encode(SCOPE, position))).isEqualTo(position);
    assertThat(codec.encode(SCOPE, position))
        .as("the same each time")
        .isEqualTo(codec.encode(SCOPE, position));
    byte[] other = Base64.getUrlDecoder().decode(codec.encode(SCOPE, position + "x"));
    assertThat(Arrays.copyOfRange(token, 32, 48)).isNotEqualTo(Arrays.copyOfRange(other, 32, 48));
  }

  @Test
  void decode_inAnotherScope_isRefused() {
    String cursor = codec.encode(SCOPE, POSITION);

    for (CursorScope other :
        List.of(
            new CursorScope("mallory", "FEED-002", "bob"),
            new CursorScope("alice", "FEED-003", "bob"),
            new CursorScope("alice", "FEED-002", "carol"),
            new CursorScope("aliceF", "EED-002", "bob"),
            new CursorScope("alice", "FEED-002bob", ""))) {
      assertRefused(other, cursor);
    }
  }

  @Test
  void decode_withAnotherSecret_isRefused() {
    assertRefused(SCOPE, signing(NEXT, null).encode(SCOPE, POSITION));
  }

  /** The order of a rotation, in which each step runs next to the one before. */
  @Test
  void secret_thatIsReplacedInThreeSteps_breaksNoCursor() {
    List<CursorCodec> steps =
        List.of(codec, signing(SECRET, NEXT), signing(NEXT, SECRET), signing(NEXT, null));

    for (int step = 1; step < 3; step++) {
      CursorCodec before = steps.get(step - 1);
      CursorCodec after = steps.get(step);
      assertThat(before.decode(SCOPE, after.encode(SCOPE, POSITION))).isEqualTo(POSITION);
      assertThat(after.decode(SCOPE, before.encode(SCOPE, POSITION))).isEqualTo(POSITION);
    }
    String last = steps.get(3).encode(SCOPE, POSITION);
    assertThat(steps.get(2).decode(SCOPE, last)).isEqualTo(POSITION);
    assertThatThrownBy(() -> steps.get(3).decode(SCOPE, codec.encode(SCOPE, POSITION)))
        .as("after the rotation")
        .isInstanceOf(ProblemException.class);
  }

  @Test
  void decode_withTheOtherSecret_inAnotherScopeOrChanged_isRefused() {
    CursorCodec both = signing(NEXT, SECRET);
    String cursor = codec.encode(SCOPE, POSITION);

    assertThat(both.decode(SCOPE, cursor)).isEqualTo(POSITION);
    for (String wrong : List.of(cursor + "A", "A" + cursor.substring(1))) {
      assertThatThrownBy(() -> both.decode(SCOPE, wrong)).isInstanceOf(ProblemException.class);
    }
    CursorScope another = new CursorScope("mallory", "FEED-002", "bob");
    assertThatThrownBy(() -> both.decode(another, cursor)).isInstanceOf(ProblemException.class);
  }

  @Test
  void decode_withAnyCharacterChanged_isRefused() {
    String cursor = codec.encode(SCOPE, POSITION);

    for (int i = 0; i < cursor.length(); i++) {
      for (char c : new char[] {'A', 'B', 'Q', 'x', '_', '-', '=', '+', ' '}) {
        if (cursor.charAt(i) != c) {
          assertRefused(SCOPE, cursor.substring(0, i) + c + cursor.substring(i + 1));
        }
      }
    }
  }

  @Test
  void decode_withAnyBitFlipped_isRefused() {
    byte[] token = Base64.getUrlDecoder().decode(codec.encode(SCOPE, POSITION));

    for (int bit = 0; bit < 8 * token.length; bit++) {
      byte[] flipped = token.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      assertRefused(SCOPE, Base64.getUrlEncoder().withoutPadding().encodeToString(flipped));
    }
  }

  @Test
  void decode_truncatedOrExtended_isRefused() {
    String cursor = codec.encode(SCOPE, POSITION);

    for (int length = 0; length < cursor.length(); length++) {
      assertRefused(SCOPE, cursor.substring(0, length));
    }
    assertRefused(SCOPE, cursor + "A");
    assertRefused(SCOPE, cursor + "=");
    assertRefused(SCOPE, cursor + cursor);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "!", "null", "ä", "%2e", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
  void decode_ofNonsense_isRefused(String cursor) {
    assertRefused(SCOPE, cursor);
  }

  @Test
  void decode_overpositionisRefused() {
    assertRefused(SCOPE, "A".repeat(1 << 20));
  }

  @Test
  void configuration_inText_keepsTheSecret() {
    assertThat(new CursorConfiguration(SECRET, NEXT).toString()).doesNotContain(SECRET, NEXT);
  }
}
