package social.feed.streams;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.Key;
import social.feed.table.row.Mute;
import social.feed.table.row.PendingErasure;
import social.feed.testkit.SeedWorld.Person;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Sweeps with a row of an erasure that cannot be decoded. It delays its own erasure only, and
 * proves nothing when an operator corrects it during a sweep.
 */
class ITUnreadableErasures extends ErasureScenario {
  private static final String SINCE = "since";
  private static final String STEP = "step";

  private Key ofBob;
  private Mute muteOfBob;

  /** The erasures of two accounts wait; only a sweep finds the mute of one. */
  @BeforeEach
  void waitForASweep() {
    muteOfBob = Mute.of(cid.id(), bob.id(), now(), null);
    harness.table.table().putAll(List.of(muteOfBob));
    for (var person : List.of(ann, bob)) {
      erasures.begin(person.id(), now());
    }
    harness.drain();
    harness.pause();
    ofBob =
        pending().stream()
            .filter(pending -> pending.userId().equals(bob.id()))
            .findAny()
            .orElseThrow()
            .key();
  }

  private AttributeValue damage(Key key, String attribute) {
    var right = requireNonNull(harness.table.table().get(key).orElseThrow().get(attribute));
    harness.set(key, attribute, AttributeValue.fromS("unreadable"));
    return right;
  }

  private void sweepUntilErased(Person person) {
    for (int i = 0; i < MAX_SWEEPS && erasure(person).step() == ErasureStep.RESTING; i++) {
      sweepWhilePaused();
    }
    assertThat(erasure(person).step()).isEqualTo(ErasureStep.ERASED);
    assertThat(naming(person)).isEmpty();
  }

  /** More rows than a part concludes lie before those of the accounts. */
  @Test
  void pendingRowThatCannotBeRead_delaysItsOwnErasureOnly() {
    var right = damage(ofBob, SINCE);
    var others =
        IntStream.range(0, 30)
            .mapToObj(i -> new PendingErasure(0, "!%02d".formatted(i), "u" + i, now()))
            .toList();
    harness.table.table().putAll(others);
    others.forEach(other -> damage(other.key(), SINCE));

    for (int i = 0; i < MAX_SWEEPS && erasure(ann).step() == ErasureStep.RESTING; i++) {
      sweepWhilePaused();
    }

    assertThat(erasure(ann).step()).isEqualTo(ErasureStep.ERASED);
    assertThat(erasure(bob).step()).isEqualTo(ErasureStep.RESTING);
    assertThat(harness.table.table().get(ofBob)).isPresent();
    harness.table.table().deleteAll(others.stream().map(PendingErasure::key).toList());
    harness.set(ofBob, SINCE, right);
    sweepUntilErased(bob);
  }

  @Test
  void erasureThatCannotBeRead_delaysNoOther() {
    var key = Erasure.key(bob.id());
    var right = damage(key, STEP);

    for (int i = 0; i < MAX_SWEEPS && erasure(ann).step() == ErasureStep.RESTING; i++) {
      sweepWhilePaused();
    }

    assertThat(erasure(ann).step()).isEqualTo(ErasureStep.ERASED);
    assertThat(harness.table.table().get(ofBob)).isPresent();
    harness.set(key, STEP, right);
    assertThat(erasure(bob).step()).isEqualTo(ErasureStep.RESTING);
    sweepUntilErased(bob);
  }

  /** The scan did not look for the account. */
  @Test
  void pendingRowThatIsCorrectedAfterTheScan_isNotProven() {
    var right = damage(ofBob, SINCE);
    scan();
    assertThat(harness.table.table().get(muteOfBob.key())).isPresent();

    assertNotProvenOnceCorrected(ofBob, SINCE, right);
  }

  /** The scan has found the mute and could not note that on the erasure. */
  @Test
  void erasureThatIsCorrectedAfterTheScan_isNotProven() {
    var key = Erasure.key(bob.id());
    var right = damage(key, STEP);
    scan();
    assertThat(harness.table.table().get(muteOfBob.key())).isEmpty();

    assertNotProvenOnceCorrected(key, STEP, right);
  }

  private void assertNotProvenOnceCorrected(Key key, String attribute, AttributeValue right) {
    harness.set(key, attribute, right);
    conclude();
    assertThat(erasure(bob).step()).isEqualTo(ErasureStep.RESTING);
    sweepUntilErased(bob);
  }

  private void scan() {
    harness.table.clock().advance(ErasureSweeps.MAX_PERIOD);
    wake();
    while (current().step() == ErasureSweep.Step.SCANNING) {
      order(harness.handlers);
    }
  }

  private void conclude() {
    while (current().isUnderWay()) {
      order(harness.handlers);
    }
  }
}
