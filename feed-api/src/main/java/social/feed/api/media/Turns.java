package social.feed.api.media;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;

/**
 * The order of work on files in this process. Each file has one writer. Decoded images are large,
 * so one image is decoded at a time, and few wait for it, without their uploads in memory. Of an
 * account one has a turn or waits for it, so that none takes all places.
 */
final class Turns {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  private final Semaphore places;
  private final Semaphore turn = new Semaphore(1, true);
  private final Duration patience;
  private final Set<String> written = ConcurrentHashMap.newKeySet();
  private final Set<String> owners = ConcurrentHashMap.newKeySet();

  /**
   * @param places how many may have a turn or wait for one
   * @param patience how long to wait for a turn
   */
  Turns(int places, Duration patience) {
    this.places = new Semaphore(places);
    this.patience = patience;
  }

  /** Work that reads or writes objects. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws IOException;
  }

  /**
   * Runs the only work of this process on a file.
   *
   * @throws ProblemException {@code rate_limited} when another one is in progress
   */
  <T> T alone(String mediaId, Work<T> work) throws IOException {
    return only(written, mediaId, "Another request uploads or completes the file", work);
  }

  private static <T> T only(Set<String> all, String one, String otherwise, Work<T> work)
      throws IOException {
    if (!all.add(one)) {
      throw refused(ProblemCode.RATE_LIMITED, otherwise);
    }
    try {
      return work.run();
    } finally {
      all.remove(one);
    }
  }

  /**
   * Runs work of an account when no other has a turn.
   *
   * @throws ProblemException {@code rate_limited} when the account has a turn or waits already,
   *     {@code media_busy} when too many wait, or others took too long
   */
  <T> T inTurn(String ownerId, Work<T> work) throws IOException {
    return only(
        owners, ownerId, "Another upload of the account is being completed", () -> inTurn(work));
  }

  private <T> T inTurn(Work<T> work) throws IOException {
    if (!places.tryAcquire()) {
      throw refused(ProblemCode.MEDIA_BUSY, "Other uploads wait to be completed");
    }
    try {
      if (!hasTurn()) {
        throw refused(ProblemCode.MEDIA_BUSY, "Other uploads are being completed");
      }
      try {
        return work.run();
      } finally {
        turn.release();
      }
    } finally {
      places.release();
    }
  }

  private boolean hasTurn() {
    try {
      return turn.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static ProblemException refused(ProblemCode code, String detail) {
    return new ProblemException(code, detail, RETRY_AFTER);
  }
}
