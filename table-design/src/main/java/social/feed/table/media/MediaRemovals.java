package social.feed.table.media;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.none;
import static social.feed.table.kernel.store.Condition.present;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.MediaRemoval;

/**
 * Removals of objects that failed. Each is two rows: a note that stays until the objects are gone,
 * and a timer whose expiry makes the next attempt. TTL may be hours late.
 */
public final class MediaRemovals {
  private static final Duration FIRST = Duration.ofMinutes(10);
  private static final int DOUBLED = 6;

  private final Table table;

  public MediaRemovals(Table table) {
    this.table = table;
  }

  /** Returns how long to wait after a number of failures: ten minutes to ten hours. */
  static Duration delay(long failures) {
    return FIRST.multipliedBy(1L << Math.min(Math.max(0, failures - 1), DOUBLED));
  }

  /**
   * Notes that objects of a deleted file remain, and sets the timer. A repeat begins again. Two
   * write units.
   */
  public void note(String mediaId, String ownerId, Instant now) {
    var note = MediaRemoval.of(mediaId, ownerId, 1);
    // In this order: a note without a timer still keeps an erasure from ending, which sets it.
    table.put(note, none());
    table.put(note.timer(now.plus(delay(1))), none());
  }

  /**
   * Notes that another attempt failed, and sets the timer again, unless the objects were removed
   * meanwhile. Four write units.
   *
   * @param timer the timer that made the attempt
   * @return whether objects remain: false if they were removed meanwhile
   * @throws ThrottledException when the transaction keeps meeting others
   */
  public boolean noteAgain(MediaRemoval timer, Instant now) {
    var failed = timer.failed();
    return table
        .retry()
        .until(
            "Removal of " + timer.mediaId(),
            () -> {
              var outcome =
                  table
                      .transaction()
                      .update(
                          MediaRemoval.key(timer.mediaId()),
                          new Update().set(MediaRemoval.FAILURES, failed.failures()),
                          present())
                      .put(failed.timer(now.plus(delay(failed.failures()))))
                      .commit();
              return outcome.isDone() || outcome.hasFailedCondition()
                  ? Optional.of(outcome.isDone())
                  : Optional.empty();
            });
  }

  /** Sets the timer of a note where it was lost, so that the attempts go on. One write unit. */
  public void armAgain(MediaRemoval note, Instant now) {
    table.put(note.timer(now.plus(delay(note.failures()))), absent());
  }

  /** Notes that the objects of a file are gone. Two write units, also where nothing was noted. */
  public void done(String mediaId) {
    table.deleteAll(List.of(MediaRemoval.key(mediaId), MediaRemoval.timerKey(mediaId)));
  }
}
