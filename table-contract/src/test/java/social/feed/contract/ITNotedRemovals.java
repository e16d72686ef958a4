package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Table;
import social.feed.table.media.MediaRemovals;
import social.feed.table.row.Key;
import social.feed.table.row.MediaRemoval;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.TestTable;
import social.feed.testkit.fault.CrashPoint;
import social.feed.testkit.fault.CrashPoint.Side;
import social.feed.testkit.fault.WiredClient;

/** Removals of objects that failed. */
@ExtendWith(EngineExtension.class)
class ITNotedRemovals {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration FIRST = Duration.ofMinutes(10);

  private final TestTable table;
  private final MediaRemovals removals;
  private final String id = Names.fresh();

  ITNotedRemovals(TestTable table) {
    this.table = table;
    this.removals = new MediaRemovals(table.table());
  }

  private Optional<MediaRemoval> stored(Key key) {
    return table.table().get(key).map(RowCodec::decode).map(MediaRemoval.class::cast);
  }

  @Test
  void removal_isNotedWithItsOwnerAndATimer() {
    removals.note(id, "ann", NOW);
    removals.note(id, "ann", NOW);

    var note = MediaRemoval.of(id, "ann", 1);
    assertThat(stored(MediaRemoval.key(id))).contains(note);
    assertThat(stored(MediaRemoval.timerKey(id))).contains(note.timer(NOW.plus(FIRST)));
    assertThat(note.referencedAccounts()).containsExactly("ann");
  }

  /** A note without a timer still keeps an erasure from ending, and a timer alone does not. */
  @Test
  void removal_cutOffBetweenItsWrites_hasItsNote() {
    var point = new CrashPoint(1, Side.AFTER);
    var wired = WiredClient.of(table.client(), point);
    var cut = new MediaRemovals(new Table(wired, table.table().name(), table.table().retry()));

    assertThatExceptionOfType(CrashPoint.Crash.class).isThrownBy(() -> cut.note(id, "ann", NOW));

    assertThat(stored(MediaRemoval.key(id))).isPresent();
    assertThat(stored(MediaRemoval.timerKey(id))).isEmpty();
  }

  @Test
  void furtherFailure_setsTheTimerTwiceAsLate_whereTheNoteStillIs() {
    removals.note(id, "ann", NOW);
    var timer = stored(MediaRemoval.timerKey(id)).orElseThrow();
    table.table().delete(timer.key());

    assertThat(removals.noteAgain(timer, NOW)).isTrue();

    assertThat(stored(MediaRemoval.key(id))).contains(MediaRemoval.of(id, "ann", 2));
    assertThat(stored(timer.key()))
        .contains(MediaRemoval.of(id, "ann", 2).timer(NOW.plus(FIRST.multipliedBy(2))));
    removals.done(id);
    assertThat(removals.noteAgain(timer, NOW)).isFalse();
    assertThat(stored(MediaRemoval.key(id))).isEmpty();
    assertThat(stored(timer.key())).isEmpty();
  }

  @Test
  void lostTimer_isSetAgain_andNoOther() {
    removals.note(id, "ann", NOW);
    var note = stored(MediaRemoval.key(id)).orElseThrow();
    removals.armAgain(note, NOW.plusSeconds(5));
    assertThat(stored(MediaRemoval.timerKey(id))).contains(note.timer(NOW.plus(FIRST)));
    table.table().delete(MediaRemoval.timerKey(id));

    removals.armAgain(note, NOW.plusSeconds(5));

    assertThat(stored(MediaRemoval.timerKey(id)))
        .contains(note.timer(NOW.plusSeconds(5).plus(FIRST)));
  }
}
