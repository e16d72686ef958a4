package social.feed.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import social.feed.ctl.verify.Verification;

/** The rows that are written in bulk agree with each other, as those of a platform do. */
class ITPopulation {

  @Test
  void smallWorld_hasNoDrift() {
    try (var world = MeasuredWorld.small()) {
      var report =
          new Verification(world.table().table(), Optional.of(MeasuredWorld.RULE))
              .run(() -> {}, _ -> {});

      assertThat(report.isClean()).as(report.render()).isTrue();
    }
  }
}
