package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import social.feed.simulation.WebhookChanges.Bug;
import social.feed.testkit.simulation.StreamedTable;

/**
 * Webhooks that change while events are on their way to them. {@code -Dsimulation.events=1000} runs
 * many histories.
 */
class ITWebhookChanges {
  private static final int HISTORIES = Integer.getInteger("simulation.events", 20);

  /** The number of histories within which each planted bug is found. */
  private static final int ENOUGH = 5;

  @Test
  void webhooks_ofAnyHistory_getWhatTheyWant() {
    try (var table = StreamedTable.start()) {
      for (long seed = 1; seed <= HISTORIES; seed++) {
        assertThat(new WebhookChanges(table, seed, Bug.NONE).run()).as("seed %d", seed).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void plantedBug_isFoundSoon(Bug bug) {
    try (var table = StreamedTable.start()) {
      var found =
          LongStream.rangeClosed(1, ENOUGH)
              .filter(seed -> !new WebhookChanges(table, seed, bug).run().isEmpty())
              .findFirst();
      assertThat(found).isPresent();
    }
  }
}
