package social.feed.ctl.suspicion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.ctl.graph.EdgeFile;
import social.feed.table.suspicion.SuspicionRules;

class SuspicionTrialTest {
  private static final int BOTS = 40;
  private static final int ACCOUNTS = 600;
  private static final int MOST_FOLLOWED = 60;

  @TempDir private Path folder;

  @Test
  void trial_findsPlantedBots_andNoOrdinaryAccount() throws IOException {
    for (var result : trial(SuspicionRules.STANDARD).results()) {
      assertThat(result.precision()).as(result.plain()).isEqualTo(1);
      assertThat(result.recall(PlantedBot.RING.label())).as(result.plain()).isEqualTo(1);
      assertThat(result.recall(PlantedBot.CHURN.label())).as(result.plain()).isGreaterThan(0.9);
      assertThat(result.recall(PlantedBot.UNWANTED.label())).as(result.plain()).isGreaterThan(0.9);
      assertThat(result.recall(PlantedBot.BURST.label())).as(result.plain()).isEqualTo(1);
      // What the rules do not see: a ring that is as slow as anyone.
      assertThat(result.recall(PlantedBot.SLOW_RING.label())).as(result.plain()).isZero();
    }
  }

  @Test
  void trial_withThresholdsOutOfReach_findsNothing() throws IOException {
    var deaf =
        new SuspicionRules(1_000_000, 1_000_000, 1_000_000, 100, 1_000_000, Duration.ZERO, 50);

    assertThat(trial(deaf).results())
        .allSatisfy(result -> assertThat(result.recall()).as(result.plain()).isZero());
  }

  @Test
  void trial_withThresholdsTooLow_isImprecise() throws IOException {
    var nervous = new SuspicionRules(5, 2, 2, 1, 5, Duration.ofDays(7), 15);

    assertThat(trial(nervous).results())
        .allSatisfy(result -> assertThat(result.precision()).as(result.plain()).isLessThan(0.9));
  }

  @Test
  void trial_ofTheSameSeed_isTheSame() throws IOException {
    assertThat(trial(SuspicionRules.STANDARD).results())
        .isEqualTo(trial(SuspicionRules.STANDARD).results());
  }

  @Test
  void trial_ofABadGraph_isRefused() throws IOException {
    var file = Files.writeString(folder.resolve("bad"), "a b\nc\n");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> SuspicionTrial.of(new EdgeFile(file), BOTS, 1, SuspicionRules.STANDARD))
        .withMessageContaining("Line 2");
  }

  private SuspicionTrial trial(SuspicionRules rules) throws IOException {
    return SuspicionTrial.of(new EdgeFile(graph()), BOTS, 1, rules);
  }

  /** A graph in which some accounts are followed more than others. */
  private Path graph() throws IOException {
    var random = new Random(5);
    var text = new StringBuilder();
    for (int follower = 0; follower < ACCOUNTS; follower++) {
      int count = 1 + random.nextInt(MOST_FOLLOWED);
      for (int edge = 0; edge < count; edge++) {
        int followee = (int) (ACCOUNTS * Math.pow(random.nextDouble(), 2));
        if (followee != follower) {
          text.append("u%d u%d%n".formatted(follower, followee));
        }
      }
    }
    return Files.writeString(folder.resolve("graph"), text);
  }
}
