package social.feed.testkit.fault;

import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * Counts writes, and ends the caller once: before or right after one of them. What ended cannot
 * catch it, as a process that is killed catches nothing.
 */
public final class CrashPoint implements Wire {
  private final int at;
  private final Side side;
  private int writes;
  private volatile boolean happened;
  private volatile boolean down;

  /** On which side of a write. */
  public enum Side {
    BEFORE,
    AFTER
  }

  /** The end of a process. */
  public static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    private Crash(String where) {
      super(where, null, false, false);
    }
  }

  /**
   * @param at the write, from 1; with 0 there is no crash, and writes are counted
   */
  public CrashPoint(int at, Side side) {
    this.at = at;
    this.side = side;
  }

  public static CrashPoint counting() {
    return new CrashPoint(0, Side.BEFORE);
  }

  /** How many writes there were so far. */
  public int writes() {
    return writes;
  }

  public boolean happened() {
    return happened;
  }

  /** Whether the process is dead: nothing that it asks for is done. */
  public boolean isDown() {
    return down;
  }

  /** Another process takes its place. */
  public void revive() {
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
    boolean isHere = ++writes == at;
    if (isHere && side == Side.BEFORE) {
      throw crash(request);
    }
    A answer = table.apply(request);
    if (isHere) {
      throw crash(request);
    }
    return answer;
  }

  private Crash crash(DynamoDbRequest request) {
    happened = true;
    down = true;
    return new Crash(side + " write " + at + ", a " + request.getClass().getSimpleName());
  }
}
