package social.feed.ctl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PopularityTest {
  private static final Popularity POPULARITY = Popularity.withMean(2.276, 200, 1e8);

  @Test
  void mean_isTheOneAskedFor() {
    assertThat(POPULARITY.mean()).isCloseTo(200, within(0.1));
    assertThat(POPULARITY.accountsFrom(0)).isCloseTo(1, within(1e-6));
    assertThat(POPULARITY.followsFrom(0)).isCloseTo(200, within(0.1));
  }

  /** The share of accounts above a size falls with the size to the power of the exponent less 1. */
  @Test
  void tail_isAPowerLaw() {
    double ratio = POPULARITY.accountsFrom(1_000) / POPULARITY.accountsFrom(10_000);

    assertThat(ratio).isCloseTo(Math.pow(10, 1.276), within(0.05));
    assertThat(POPULARITY.accountsFrom(1e9)).isZero();
  }

  @Test
  void meanAsLargeAsTheGreatest_givesAllAccountsThatMany() {
    var equal = Popularity.withMean(2.276, 10, 10);

    assertThat(equal.mean()).isEqualTo(10);
    assertThat(equal.average(x -> x * x, 0, 100)).isEqualTo(100);
    assertThat(equal.accountsFrom(11)).isZero();
  }
}
