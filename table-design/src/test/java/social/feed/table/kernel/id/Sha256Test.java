package social.feed.table.kernel.id;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class Sha256Test {
  /** The example of the standard, FIPS 180-4. */
  @Test
  void hex_isThatOfTheStandard() {
    var expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    assertThat(Sha256.hex("abc")).isEqualTo(expected);
    assertThat(Sha256.hex("abc".getBytes(StandardCharsets.US_ASCII))).isEqualTo(expected);
  }
}
