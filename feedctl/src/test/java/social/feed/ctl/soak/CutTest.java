package social.feed.ctl.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests with connections as those of a right reader, and with planted mistakes. */
class CutTest {
  private static final URI FIRST = URI.create("http://127.0.0.1:1");
  private static final URI SECOND = URI.create("http://127.0.0.1:2");

  /** The second connection of a reader, after three ids. */
  private static final StreamConnection BEFORE =
      StreamConnection.opened(FIRST, "3").received("4").received("5").received("6");

  private static List<String> faults(Set<URI> survivors, StreamConnection... since) {
    var all = new ArrayList<>(List.of(StreamConnection.opened(SECOND, ""), BEFORE));
    all.addAll(List.of(since));
    return new Cut("API 1", "ann", 1, survivors).faults(all);
  }

  @Test
  void readerThatResumesAtAnotherProcess_hasNoFault() {
    assertThat(faults(Set.of(SECOND), StreamConnection.opened(SECOND, "6").received("7")))
        .isEmpty();
  }

  @Test
  void laterConnections_areNotOfThisKill() {
    assertThat(
            faults(
                Set.of(SECOND),
                StreamConnection.opened(SECOND, "6").received("7"),
                StreamConnection.opened(FIRST, "7")))
        .isEmpty();
  }

  @Test
  void cutBeforeTheFirstBlock_leavesTheIdThatWasSent() {
    var all =
        List.of(
            StreamConnection.opened(FIRST, "3"),
            StreamConnection.opened(SECOND, "3").received("4"),
            StreamConnection.opened(FIRST, ""));
    assertThat(new Cut("API 1", "ann", 0, Set.of(SECOND)).faults(all)).isEmpty();
  }

  @Test
  void restartedPlatform_mayHaveAnyAddress() {
    assertThat(faults(Set.of(), StreamConnection.opened(FIRST, "6").received("7"))).isEmpty();
  }

  @Test
  void readerThatLosesItsLastId_isFound() {
    assertThat(faults(Set.of(SECOND), StreamConnection.opened(SECOND, "").received("7")))
        .containsExactly("ann resumed from '' after the kill of API 1, not from its last id '6'");
  }

  @Test
  void readerThatResumesFromAnEarlierId_isFound() {
    assertThat(faults(Set.of(SECOND), StreamConnection.opened(SECOND, "5").received("6")))
        .containsExactly("ann resumed from '5' after the kill of API 1, not from its last id '6'");
  }

  @Test
  void readerThatNeverHadAnId_isFound() {
    var all =
        List.of(
            StreamConnection.opened(FIRST, ""), StreamConnection.opened(SECOND, "").received("7"));
    assertThat(new Cut("API 1", "ann", 0, Set.of(SECOND)).faults(all))
        .containsExactly("ann resumed from '' after the kill of API 1, not from its last id ''");
  }

  @Test
  void readerThatWaitsForTheKilledProcess_isFound() {
    assertThat(faults(Set.of(SECOND), StreamConnection.opened(FIRST, "6").received("7")))
        .containsExactly(
            "ann reconnected to http://127.0.0.1:1 after the kill of API 1, not to one of"
                + " [http://127.0.0.1:2]");
  }

  @Test
  void readerThatDoesNotReconnect_orReceivesNothing_isFound() {
    assertThat(faults(Set.of(SECOND)))
        .containsExactly("ann did not reconnect after the kill of API 1");
    assertThat(faults(Set.of(SECOND), StreamConnection.opened(SECOND, "6")))
        .containsExactly("ann received nothing from http://127.0.0.1:2 after the kill of API 1");
  }
}
