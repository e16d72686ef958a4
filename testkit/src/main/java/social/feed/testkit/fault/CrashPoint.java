package social.feed.testkit.fault;

import java.util.function.Function;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * Counts writes and ends the process once, before or right after one of them. The error cannot be
 * caught by code that catches exceptions, as a killed process catches nothing. Alternatively the
 * process continues and loses the answer of the write.
 */
public final class CrashPoint implements Wire {
  private final int at;
  private final Side side;
  private int writes;
  private volatile boolean happened;
  private volatile boolean down;

  /** The side of the write at which the fault occurs. */
  public enum Side {
    /** The process dies, and the write is not applied. */
    BEFORE,
    /** The write is applied, and the process dies. */
    AFTER,
    /** The write is applied, its answer is lost, and the process continues. */
    ANSWER_LOST
  }

  /** The end of a process. */
  public static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    /**
     * @param where the point at which the process ends
     */
    public Crash(String where) {
      super(where, null, false, false);
    }
  }

  /**
   * @param at the number of the write, from 1; 0 disables the crash and only counts writes
   */
  public CrashPoint(int at, Side side) {
    this.at = at;
    this.side = side;
  }

  public static CrashPoint counting() {
    return new CrashPoint(0, Side.BEFORE);
  }

  /** Returns the number of writes so far. */
  public int writes() {
    return writes;
  }

  public boolean happened() {
    return happened;
  }

  /** Returns whether the process is dead, so that none of its requests is sent. */
  public boolean isDown() {
    return down;
  }

  /** Starts a replacement process. */
  public void restart() {
    down = false;
  }

  @Override
  public synchronized <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
    if (down) {
      throw new Crash("Dead already");
    }
    if (!Faults.isWrite(request)) {
      return table.apply(request);
    }
    if (++writes != at) {
      return table.apply(request);
    }
    happened = true;
    if (side != Side.BEFORE) {
      refusedOrNot(request, table);
    }
    if (side == Side.ANSWER_LOST) {
      throw Failing.timeOut();
    }
    down = true;
    throw new Crash(side + " write " + at + ", a " + request.getClass().getSimpleName());
  }

  /** Sends the request and ignores its result. A rejection is lost like any other answer. */
  private static <Q extends DynamoDbRequest, A> void refusedOrNot(Q request, Function<Q, A> table) {
    try {
      var unused = table.apply(request);
    } catch (AwsServiceException e) {
      return;
    }
  }
}
