package social.feed.ctl.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import social.feed.search.EntryKind;
import social.feed.search.IndexState;
import social.feed.streams.index.IndexUpkeep;
import social.feed.table.kernel.store.Retry;

class PatientIndexTest {
  private static final Retry THREE =
      new Retry(3, Duration.ZERO, Duration.ZERO, new Random(1), _ -> {});

  @Test
  void failuresThatEnd_areNotSeen() {
    var index = new BusyIndex(2);
    var patient = new PatientIndex(index, THREE);

    assertThat(patient.postsOf("ann")).containsExactly("post");
    index.failures = 2;
    assertThat(patient.states(EntryKind.POST, List.of("post"))).isEmpty();
    index.failures = 2;
    assertThat(patient.statesAfter(EntryKind.POST, "", 9)).isEmpty();
    index.failures = 2;
    assertThat(patient.align(EntryKind.POST, List.of("post")).written()).isEqualTo(1);
  }

  @Test
  void lastFailure_isThrown() {
    var patient = new PatientIndex(new BusyIndex(3), THREE);

    assertThatThrownBy(() -> patient.postsOf("ann"))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("failure 1");
  }

  /** Fails a number of times. */
  private static final class BusyIndex implements IndexUpkeep {
    private int failures;

    BusyIndex(int failures) {
      this.failures = failures;
    }

    private void answer() {
      if (failures > 0) {
        throw new UncheckedIOException(new IOException("failure " + failures--));
      }
    }

    @Override
    public Alignment align(EntryKind kind, Collection<String> ids) {
      answer();
      return new Alignment(ids.size(), 0, 0);
    }

    @Override
    public List<IndexState> states(EntryKind kind, Collection<String> ids) {
      answer();
      return List.of();
    }

    @Override
    public List<IndexState> statesAfter(EntryKind kind, String after, int limit) {
      answer();
      return List.of();
    }

    @Override
    public List<String> postsOf(String authorId) {
      answer();
      return List.of("post");
    }
  }
}
