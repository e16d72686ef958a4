package social.feed.api.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import social.feed.api.edge.paging.CursorCodec;
import social.feed.api.edge.paging.TestCursors;
import social.feed.api.edge.problem.ProblemException;

/** How long the addresses of files stay valid. */
class SealedAddressesTest {
  private static final Duration VALID = Duration.ofMinutes(10);
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final CursorCodec CODEC = TestCursors.codec();

  private static SealedAddresses at(Instant now) {
    return new SealedAddresses(
        CODEC,
        () -> now,
        new MediaConfiguration(null, null, null, null, 9, 9, 9, 9, 9, VALID, VALID));
  }

  private static String signature(Instant now) {
    String address = at(now).file("f00d", "small.png");
    return address.substring(address.indexOf('=') + 1);
  }

  @Test
  void address_isValidForItsTimeAtLeast_andTwiceAsLongAtMost() {
    for (Instant now = NOON; now.isBefore(NOON.plus(VALID)); now = now.plusSeconds(7)) {
      assertThat(at(now).requireFile("f00d", "small.png", signature(now))).isBetween(600L, 1_200L);
      assertThat(
              at(now.plus(VALID).minusSeconds(1)).requireFile("f00d", "small.png", signature(now)))
          .isPositive();
    }
  }

  /** So a browser shows an image of a page that it has from its cache. */
  @Test
  void address_isTheSameForAWhile_andEnds() {
    assertThat(signature(NOON)).isEqualTo(signature(NOON.plus(VALID).minusMillis(1)));

    var later = at(NOON.plus(VALID.multipliedBy(2)));
    assertThatThrownBy(() -> later.requireFile("f00d", "small.png", signature(NOON)))
        .isInstanceOf(ProblemException.class);
  }
}
