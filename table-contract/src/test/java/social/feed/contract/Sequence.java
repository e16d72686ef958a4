package social.feed.contract;

import java.math.BigInteger;
import social.feed.table.counter.CountChange;

/** Changes with the sequence numbers of a stream shard. */
final class Sequence {
  private static final BigInteger START = new BigInteger("999999999999999999990");

  private Sequence() {}

  /** The n-th number; the tenth has a digit more than the first. */
  static String number(long n) {
    return START.add(BigInteger.valueOf(n)).toString();
  }

  static CountChange change(long n, String attribute, long delta) {
    return new CountChange(number(n), attribute, delta);
  }
}
