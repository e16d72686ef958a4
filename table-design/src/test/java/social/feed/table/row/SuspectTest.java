package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import social.feed.table.row.Suspect.Evidence;

class SuspectTest {
  private static final Instant DAY = Instant.parse("2026-03-01T00:00:00Z");
  private static final SuspicionFinding BURST =
      SuspicionFinding.of(SuspicionReason.FOLLOW_BURST, 200, 200);
  private static final SuspicionFinding LONG_BURST =
      SuspicionFinding.of(SuspicionReason.FOLLOW_BURST, 400, 200);
  private static final SuspicionFinding CHURN =
      SuspicionFinding.of(SuspicionReason.FOLLOW_CHURN, 120, 100);

  @Test
  void evidence_inAnyOrderAndRepeated_givesTheSameRow() {
    var random = new Random(11);
    var all =
        List.of(
            evidence(200, 0, BURST),
            evidence(400, 0, LONG_BURST),
            evidence(500, 1, BURST, CHURN),
            evidence(700, 2, CHURN));
    for (int round = 0; round < 50; round++) {
      var order = new ArrayList<>(all);
      order.addAll(all);
      Collections.shuffle(order, random);
      var row = row(order);

      assertThat(row.findings()).containsExactly(LONG_BURST, CHURN);
      assertThat(row.score()).isEqualTo(70);
      assertThat(row.version()).isEqualTo(700);
      assertThat(row.since()).isEqualTo(DAY);
      assertThat(row.latest()).isEqualTo(DAY.plus(Duration.ofDays(2)));
    }
  }

  @Test
  void evidence_thatIsKnown_changesNothing() {
    var row = row(List.of(evidence(400, 0, LONG_BURST)));

    assertThat(row.with(evidence(400, 0, LONG_BURST))).isSameAs(row);
    assertThat(row.with(evidence(200, 0, BURST))).isSameAs(row);
  }

  @Test
  void dismissedRow_ignoresOldEvidence_andIsListedAgainByNew() {
    var listed = row(List.of(evidence(400, 0, LONG_BURST)));
    var dismissed = listed.dismissed(DAY.plusSeconds(60));

    assertThat(listed.indexKeys()).isNotEmpty();
    assertThat(dismissed.indexKeys()).isEmpty();
    assertThat(dismissed.with(evidence(300, 0, CHURN))).isSameAs(dismissed);
    assertThat(dismissed.dismissed(DAY.plusSeconds(90))).isSameAs(dismissed);

    var again = dismissed.with(evidence(500, 3, CHURN));
    assertThat(again.isListed()).isTrue();
    assertThat(again.findings()).containsExactly(CHURN);
    assertThat(again.since()).isEqualTo(DAY.plus(Duration.ofDays(3)));
    assertThat(again.with(evidence(400, 0, LONG_BURST))).isSameAs(again);
  }

  private static Suspect row(List<Evidence> all) {
    var row = Suspect.of(all.getFirst());
    for (var evidence : all) {
      row = row.with(evidence);
    }
    return row;
  }

  private static Evidence evidence(long version, int day, SuspicionFinding... findings) {
    return new Evidence("bob", version, DAY.plus(Duration.ofDays(day)), List.of(findings));
  }

  @Test
  void score_isRight_whenItIsThatOfTheFindings() {
    var right = row(List.of(evidence(400, 0, LONG_BURST, CHURN)));

    assertThat(right.isScoreRight()).isTrue();
    assertThat(scored(right, right.score() - 1).isScoreRight()).isFalse();
    assertThat(scored(right, right.score() + 1).isScoreRight()).isFalse();
  }

  @Test
  void scoredAgain_hasTheRightScore_inTheNextRevision() {
    var right = row(List.of(evidence(400, 0, LONG_BURST, CHURN))).dismissed(DAY.plusSeconds(60));
    var again = scored(right, 7).scoredAgain();

    assertThat(again.isScoreRight()).isTrue();
    assertThat(again.revision()).isEqualTo(right.revision() + 1);
    assertThat(again.dismissedAt()).isEqualTo(DAY.plusSeconds(60));
  }

  @Test
  void accountInTheListOfOperators_isNamedByItsSortKey() {
    var row = row(List.of(evidence(400, 0, LONG_BURST, CHURN)));

    assertThat(row.indexKeys().values())
        .extracting(key -> SuspectRef.at(key.sort()))
        .containsExactly(new SuspectRef("bob", 70));
  }

  private static Suspect scored(Suspect row, long score) {
    return new Suspect(
        row.userId(),
        score,
        row.findings(),
        row.since(),
        row.latest(),
        row.version(),
        row.revision(),
        row.dismissedAt(),
        row.dismissedVersion(),
        row.expiresAt());
  }
}
