package social.feed.table.suspicion;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import social.feed.table.kernel.id.Sha256;

/**
 * A short sketch of whom an account followed first, and in which order: the lowest hashes of all
 * runs of {@value #RUN} consecutive followed accounts. Two accounts that followed the same accounts
 * in the same order have the same hashes, and most of them if each added some of its own. The first
 * {@value #SKIPPED} are left out, because a sign-up page may suggest the same to everyone.
 */
public final class OpeningSketch {
  /** How many followed accounts are looked at, the ones that are left out included. */
  public static final int LENGTH = 30;

  /** The most hashes of a sketch. */
  public static final int HASHES = 4;

  /** How many hashes two accounts share if they followed in the same order. */
  public static final int SHARED = 2;

  private static final int SKIPPED = 10;
  private static final int RUN = 4;
  private static final int HASH_BYTES = 8;

  /** In which time the first follows are a burst: one every twenty seconds. */
  public static final Duration WITHIN = Duration.ofMinutes(10);

  private OpeningSketch() {}

  /**
   * Returns the hashes, lowest first.
   *
   * @param followeeIds the followed accounts, oldest follow first
   */
  public static List<String> of(List<String> followeeIds) {
    int end = Math.min(LENGTH, followeeIds.size());
    return IntStream.rangeClosed(SKIPPED, end - RUN)
        .mapToObj(from -> hash(followeeIds.subList(from, from + RUN)))
        .distinct()
        .sorted()
        .limit(HASHES)
        .toList();
  }

  /**
   * Returns the accounts that began in the same order as enough others. The value of each is the
   * threshold, or twice that from twice as many on, so that no more accounts change it.
   *
   * @param holders the accounts that have each hash of one sketch, the account itself included
   * @param least how many accounts are enough
   */
  public static Map<String, Long> ring(
      Collection<? extends Collection<String>> holders, int least) {
    var large = holders.stream().filter(accounts -> accounts.size() >= least).toList();
    var times = new HashMap<String, Integer>();
    large.forEach(accounts -> accounts.forEach(id -> times.merge(id, 1, Integer::sum)));
    times.values().removeIf(shared -> shared < SHARED);
    long value = times.size() < 2L * least ? least : 2L * least;
    return times.size() < least
        ? Map.of()
        : times.keySet().stream().collect(Collectors.toUnmodifiableMap(id -> id, _ -> value));
  }

  private static String hash(List<String> run) {
    return HexFormat.of().formatHex(Sha256.of(String.join("\n", run)), 0, HASH_BYTES);
  }
}
