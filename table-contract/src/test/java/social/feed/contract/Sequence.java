package social.feed.contract;

import java.math.BigInteger;
import social.feed.table.counter.CountChange;

/** Counter changes with the sequence numbers of a stream shard. */
final class Sequence {
  private static final BigInteger START = new BigInteger("999999999999999999990");

  private Sequence() {}

  /** Returns the n-th number. The tenth has one digit more than the first. */
  static String number(long n) {
    return START.add(BigInteger.valueOf(n)).toString();
  }

  static CountChange change(long n, String attribute, long delta) {
    return new CountChange(number(n), attribute, delta);
  }
}
