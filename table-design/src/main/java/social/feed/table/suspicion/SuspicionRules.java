package social.feed.table.suspicion;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;

/**
 * When follow behavior is abnormal. The score of an account is the sum of the points of its
 * reasons. Pure: everything is decided from two images of the follow quota, which each follow
 * writes anyway.
 *
 * @param follows follows of a UTC day that are a burst
 * @param unfollows unfollows of a UTC day that are churn, if there are as many follows
 * @param blocks answers by blocks in a UTC day that are many
 * @param blockShare the share of the day's follows, in percent, that these blocks must be
 * @param sameOrder new accounts that follow the same accounts in the same order
 * @param newFor how long an account is new after its registration
 * @param score the score from which on an account is listed
 */
public record SuspicionRules(
    long follows,
    long unfollows,
    long blocks,
    int blockShare,
    int sameOrder,
    Duration newFor,
    long score) {
  /** The defaults of the configuration. */
  public static final SuspicionRules STANDARD =
      new SuspicionRules(200, 100, 10, 10, 5, Duration.ofDays(7), 50);

  private static final int PERCENT = 100;
  private static final String FOLLOWS = "follows";
  private static final String UNFOLLOWS = "unfollows";
  private static final String BLOCKS = "blocks";
  private static final String BLOCK_SHARE = "block-share";
  private static final String SAME_ORDER = "same-order";
  private static final String NEW_FOR = "new-for";
  private static final String SCORE = "score";

  public SuspicionRules {
    // A threshold of one would make the first follow of each account suspicious.
    if (Math.min(Math.min(follows, unfollows), Math.min(blocks, sameOrder)) < 2
        || blockShare < 1
        || blockShare > PERCENT
        || newFor.isNegative()
        || score < 1) {
      throw new IllegalArgumentException(
          "Thresholds of suspicious follows are at least 2, the share of blocks is 1 to 100, and"
              + " the score is at least 1, not "
              + List.of(follows, unfollows, blocks, sameOrder, blockShare, newFor, score));
    }
  }

  /**
   * Returns the rules with other thresholds.
   *
   * @param thresholds by the names of their settings: {@code follows}, {@code unfollows}, {@code
   *     blocks}, {@code block-share}, {@code same-order}, {@code new-for} as an ISO 8601 time or in
   *     days such as {@code 7d}, and {@code score}
   * @throws IllegalArgumentException for another name, or a value that no threshold may have
   */
  public SuspicionRules with(Map<String, String> thresholds) {
    var all = new TreeMap<>(named());
    thresholds.forEach(
        (name, value) -> {
          if (all.replace(name, value) == null) {
            throw new IllegalArgumentException(
                "%s is no threshold of suspicious follows; there are %s"
                    .formatted(name, String.join(", ", all.keySet())));
          }
        });
    try {
      return new SuspicionRules(
          number(all, FOLLOWS),
          number(all, UNFOLLOWS),
          number(all, BLOCKS),
          Math.toIntExact(number(all, BLOCK_SHARE)),
          Math.toIntExact(number(all, SAME_ORDER)),
          time(Objects.requireNonNull(all.get(NEW_FOR))),
          number(all, SCORE));
    } catch (NumberFormatException | DateTimeParseException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "Thresholds of suspicious follows are whole numbers, and %s is a time such as 7d, not %s"
              .formatted(NEW_FOR, thresholds),
          e);
    }
  }

  /** Returns the thresholds as texts, by the names of their settings. */
  public Map<String, String> named() {
    return Map.of(
        FOLLOWS,
        Long.toString(follows),
        UNFOLLOWS,
        Long.toString(unfollows),
        BLOCKS,
        Long.toString(blocks),
        BLOCK_SHARE,
        Integer.toString(blockShare),
        SAME_ORDER,
        Integer.toString(sameOrder),
        NEW_FOR,
        newFor.toString(),
        SCORE,
        Long.toString(score));
  }

  private static long number(Map<String, String> all, String name) {
    return Long.parseLong(Objects.requireNonNull(all.get(name)));
  }

  private static Duration time(String text) {
    return text.endsWith("d")
        ? Duration.ofDays(Long.parseLong(text.substring(0, text.length() - 1)))
        : Duration.parse(text);
  }

  /** Returns what the counts of a quota show, for the day that it counts. */
  public List<SuspicionFinding> findings(FollowQuota quota) {
    var findings = new ArrayList<SuspicionFinding>();
    long churned = Math.min(quota.follows(), quota.unfollows());
    long blocked = quota.blockedToday();
    if (quota.follows() >= follows) {
      findings.add(SuspicionFinding.of(SuspicionReason.FOLLOW_BURST, quota.follows(), follows));
    }
    if (churned >= unfollows) {
      findings.add(SuspicionFinding.of(SuspicionReason.FOLLOW_CHURN, churned, unfollows));
    }
    if (blocked >= blocks && blocked * PERCENT >= blockShare * answerable(quota)) {
      findings.add(SuspicionFinding.of(SuspicionReason.BLOCKED_BY_FOLLOWED, blocked, blocks));
    }
    return List.copyOf(findings);
  }

  /**
   * Returns the follows that the blocks of a day may answer: those of the day, or where there are
   * more blocks, all that the account had, since some of them are older.
   */
  private static long answerable(FollowQuota quota) {
    long blocked = quota.blockedToday();
    return quota.follows() >= blocked ? quota.follows() : quota.following() + blocked;
  }

  /**
   * Returns the findings of a changed quota if a reason passed a threshold with this change, and
   * the account may reach the score. So most changes have none. An account has two for each reason
   * and day at most, and one more for a block after which the share of blocks is reached again.
   */
  public List<SuspicionFinding> crossed(FollowQuota before, FollowQuota after) {
    var now = findings(after);
    var known =
        Objects.equals(before.day(), after.day()) ? findings(before) : List.<SuspicionFinding>of();
    boolean hasRisen =
        now.stream().anyMatch(finding -> finding.points() > pointsOf(finding.reason(), known));
    return hasRisen && isListed(withAge(now, true)) ? now : List.of();
  }

  /** Whether a change of a quota ends the first follows of an account, all on one day. */
  public static boolean endsOpening(FollowQuota before, FollowQuota after) {
    return before.following() < OpeningSketch.LENGTH
        && after.following() >= OpeningSketch.LENGTH
        && after.follows() >= OpeningSketch.LENGTH;
  }

  /** Whether an account is new on a day. */
  public boolean isNew(Instant registeredAt, Instant day) {
    return day.isBefore(registeredAt.plus(newFor));
  }

  /** Whether an account with some findings is listed. */
  public boolean isListed(Collection<SuspicionFinding> findings) {
    return scoreOf(findings) >= score;
  }

  /**
   * Returns findings with the age of the account.
   *
   * @param registeredAt when the account registered
   * @param at the day of the findings
   */
  public List<SuspicionFinding> withAge(
      List<SuspicionFinding> findings, Instant registeredAt, Instant at) {
    return withAge(findings, isNew(registeredAt, at));
  }

  private List<SuspicionFinding> withAge(List<SuspicionFinding> findings, boolean isNew) {
    if (!isNew || findings.isEmpty()) {
      return findings;
    }
    var all = new ArrayList<>(findings);
    var age = SuspicionReason.NEW_ACCOUNT;
    all.add(new SuspicionFinding(age, newFor.toDays(), newFor.toDays(), age.points()));
    return List.copyOf(all);
  }

  /** Returns the score of some findings: the sum of their points. */
  public static long scoreOf(Collection<SuspicionFinding> findings) {
    return findings.stream().mapToLong(SuspicionFinding::points).sum();
  }

  private static long pointsOf(SuspicionReason reason, List<SuspicionFinding> findings) {
    return findings.stream()
        .filter(finding -> finding.reason() == reason)
        .mapToLong(SuspicionFinding::points)
        .sum();
  }
}
