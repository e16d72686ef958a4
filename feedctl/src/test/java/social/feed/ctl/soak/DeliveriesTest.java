package social.feed.ctl.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests with pages that are late, as those of lanes that cannot keep up. */
class DeliveriesTest {
  private final Set<String> shown = new HashSet<>();
  private final AtomicLong nanos = new AtomicLong(-7);
  private final Deliveries deliveries = new Deliveries(_ -> Set.copyOf(shown), nanos::get);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    deliveries.look();
  }

  private void post(String id) {
    deliveries.posted(id, "reader", nanos.get());
  }

  @Test
  void postThatIsLate_letsWritersPause_untilItIsThere() {
    post("a");
    pass(Deliveries.PACED);
    assertThat(deliveries.isBehind()).isFalse();

    pass(Duration.ofMillis(1));
    assertThat(deliveries.isBehind()).isTrue();

    shown.add("a");
    pass(Duration.ofSeconds(1));
    assertThat(deliveries.isBehind()).isFalse();
    assertThat(deliveries.longest()).isEqualTo(Deliveries.PACED.plusMillis(1_001));
  }

  @Test
  void longest_isThatOfAllPosts_alsoOfOneThatIsNotThere() {
    post("a");
    shown.add("a");
    pass(Duration.ofSeconds(3));
    post("b");
    pass(Duration.ofSeconds(2));
    assertThat(deliveries.longest()).isEqualTo(Duration.ofSeconds(3));

    pass(Deliveries.PROMISED);
    assertThat(deliveries.longest()).isGreaterThan(Deliveries.PROMISED);
  }

  @Test
  void pageOfAnotherReader_hasNotThePostsOfThisOne() {
    var others =
        new Deliveries(reader -> reader.equals("other") ? Set.of("a", "b") : Set.of(), nanos::get);
    others.posted("a", "reader", nanos.get());
    others.posted("b", "other", nanos.get());
    others.look();
    nanos.addAndGet(Deliveries.PACED.toNanos() + 1);

    assertThat(others.isBehind()).isTrue();
  }

  @Test
  void run_endsOnceItIsStopped_andAllPostsAreThere() {
    post("a");
    shown.add("a");
    deliveries.stop();
    deliveries.run();

    assertThat(deliveries.isBehind()).isFalse();
  }

  @Test
  void run_ofAPostThatNeverComes_fails() {
    post("a");
    nanos.addAndGet(Deliveries.GIVEN_UP.toNanos() + 1);

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(deliveries::run)
        .withMessageContaining("a=");
  }
}
