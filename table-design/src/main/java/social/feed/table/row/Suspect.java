package social.feed.table.row;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.declaration.Retention;

/**
 * An account whose follows look abnormal: {@code USER#<id> / SUSPECT}, in GSI1 by its score until
 * it is dismissed. The stream writes it; ordinary accounts have none.
 *
 * @param userId the account
 * @param score the sum of the points of the findings
 * @param findings the highest finding of each reason since the last dismissal, in the order of the
 *     reasons
 * @param since the first UTC day of the findings
 * @param latest the last UTC day of the findings
 * @param version the highest version of the follow quota that showed a finding
 * @param revision how often the row was written
 * @param dismissedAt when an operator dismissed it, absent while it is listed
 * @param dismissedVersion the version at the last dismissal; what was found up to it counts no
 *     longer
 * @param expiresAt epoch second after which TTL may delete the row
 */
@StoredAs(RowKind.SUSPECT)
public record Suspect(
    String userId,
    long score,
    List<SuspicionFinding> findings,
    Instant since,
    Instant latest,
    long version,
    long revision,
    @Nullable Instant dismissedAt,
    long dismissedVersion,
    long expiresAt)
    implements Row {
  public static final String SCORE = "score";
  public static final String REVISION = "revision";
  public static final String DISMISSED_AT = "dismissed_at";

  /**
   * What one version of a follow quota shows.
   *
   * @param day the UTC day that the quota counts
   */
  public record Evidence(
      String userId, long version, Instant day, List<SuspicionFinding> findings) {}

  /** Returns the row of the first evidence. */
  public static Suspect of(Evidence evidence) {
    return new Suspect(
        evidence.userId(),
        score(evidence.findings()),
        evidence.findings(),
        evidence.day(),
        evidence.day(),
        evidence.version(),
        1,
        null,
        0,
        expiry(evidence.day()));
  }

  public static Key key(String userId) {
    return new Key(Keys.user(userId), Keys.SUSPECT);
  }

  /**
   * Returns the row with more evidence. The same evidence again changes nothing, and the order does
   * not matter. Evidence after a dismissal lists the account again, without what was found before.
   */
  public Suspect with(Evidence evidence) {
    if (evidence.version() <= dismissedVersion) {
      return this;
    }
    var known = dismissedAt == null ? findings : List.<SuspicionFinding>of();
    var merged = highest(known, evidence.findings());
    var first = dismissedAt == null ? min(since, evidence.day()) : evidence.day();
    var last = dismissedAt == null ? max(latest, evidence.day()) : evidence.day();
    var after =
        new Suspect(
            userId,
            score(merged),
            merged,
            first,
            last,
            Math.max(version, evidence.version()),
            revision,
            null,
            dismissedVersion,
            Math.max(expiresAt, expiry(last)));
    return after.equals(this) ? this : after.revised(after.score);
  }

  /** Returns the row after its dismissal; a row that is dismissed stays as it is. */
  public Suspect dismissed(Instant now) {
    return dismissedAt != null
        ? this
        : new Suspect(
            userId,
            score,
            findings,
            since,
            latest,
            version,
            revision + 1,
            now,
            version,
            Math.max(expiresAt, expiry(now)));
  }

  /** Whether the score is that of the findings. */
  public boolean isScoreRight() {
    return score == score(findings);
  }

  /** Returns the row with the score of its findings. */
  public Suspect scoredAgain() {
    return revised(score(findings));
  }

  /** Whether the list of operators shows it. */
  public boolean isListed() {
    return dismissedAt == null;
  }

  private Suspect revised(long newScore) {
    return new Suspect(
        userId,
        newScore,
        findings,
        since,
        latest,
        version,
        revision + 1,
        dismissedAt,
        dismissedVersion,
        expiresAt);
  }

  private static List<SuspicionFinding> highest(
      List<SuspicionFinding> some, List<SuspicionFinding> more) {
    Map<SuspicionReason, SuspicionFinding> highest = new EnumMap<>(SuspicionReason.class);
    var byPoints =
        Comparator.comparingLong(SuspicionFinding::points)
            .thenComparingLong(SuspicionFinding::value)
            .thenComparingLong(SuspicionFinding::threshold);
    Stream.concat(some.stream(), more.stream())
        .forEach(
            finding ->
                highest.merge(
                    finding.reason(),
                    finding,
                    (one, other) -> byPoints.compare(one, other) < 0 ? other : one));
    return List.copyOf(new ArrayList<>(highest.values()));
  }

  private static long score(List<SuspicionFinding> findings) {
    return findings.stream().mapToLong(SuspicionFinding::points).sum();
  }

  private static long expiry(Instant last) {
    return last.plus(Retention.SUSPICIONS).getEpochSecond();
  }

  private static Instant min(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Instant max(Instant one, Instant other) {
    return one.isBefore(other) ? other : one;
  }

  @Override
  public Key key() {
    return key(userId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of(userId);
  }

  @Override
  public List<Key> parents() {
    return List.of(User.key(userId));
  }

  @Override
  public Optional<String> indexedNumber() {
    return Optional.of(REVISION);
  }

  @Override
  public Map<Index, Key> indexKeys() {
    return isListed()
        ? Map.of(
            Index.POSTS_BY_AUTHOR, new Key(Keys.SUSPECTS, Keys.scored(score, Keys.user(userId))))
        : Map.of();
  }
}
