package social.feed.local.page;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import social.feed.local.page.TableVerifier.CheckResult;

/** Verifies the table when the page asks for it, one run at a time. */
public final class VerifyRun {
  /** What the page shows. */
  enum State {
    /** This process has no verifier. */
    UNAVAILABLE,
    IDLE,
    RUNNING,
    DONE,
    FAILED
  }

  /**
   * The last run.
   *
   * @param state the state in lower case
   * @param rows the number of rows read so far
   * @param checks the results, empty before the run is done
   * @param problem why it failed, null otherwise
   */
  record Status(String state, long rows, List<CheckResult> checks, @Nullable String problem) {
    private static Status of(State state, long rows) {
      return new Status(nameOf(state), rows, List.of(), null);
    }

    private static String nameOf(State state) {
      return state.name().toLowerCase(Locale.ROOT);
    }

    private boolean is(State other) {
      return state.equals(nameOf(other));
    }
  }

  private @Nullable TableVerifier verifier;
  private Status status = Status.of(State.UNAVAILABLE, 0);

  /** Provides what verifies the table. */
  public synchronized void provide(TableVerifier provided) {
    verifier = provided;
    status = Status.of(State.IDLE, 0);
  }

  synchronized Status status() {
    return status;
  }

  /** Starts a run unless one is under way, and returns the status. */
  synchronized Status start() {
    var provided = verifier;
    if (provided != null && !status.is(State.RUNNING)) {
      // First, as there may be no memory for it. It sets no status before this method ends.
      Thread.ofVirtual().name("verify").start(() -> run(provided));
      status = Status.of(State.RUNNING, 0);
    }
    return status;
  }

  private void run(TableVerifier provided) {
    Status end;
    try {
      var checks = provided.verify(rows -> set(Status.of(State.RUNNING, rows)));
      long rows = checks.isEmpty() ? 0 : checks.getFirst().compared();
      end = new Status(Status.nameOf(State.DONE), rows, checks, null);
    } catch (RuntimeException | Error e) {
      // Also after an error: a run that never ends would keep others from starting.
      end = new Status(Status.nameOf(State.FAILED), 0, List.of(), e.toString());
    }
    set(end);
  }

  private synchronized void set(Status now) {
    status = now;
  }
}
