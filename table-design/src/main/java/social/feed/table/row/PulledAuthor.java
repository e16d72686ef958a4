package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.time.Timestamps;

/**
 * An author with posts that are pulled: {@code REGISTRY#PULL / USER#<id>}. The row stays for 91
 * days after the author stops being a celebrity, because the posts of that time stay pulled. Feeds
 * read older posts from their authors and need no row for them.
 *
 * @param authorId the author
 * @param pullFrom no pulled post is older
 * @param pullUntil no pulled post is newer; absent while the author is a celebrity
 * @param flagVersion version of the last flag recorded here, as {@link User#celebrityVersion}
 * @param publishedVersion version of the last flag that was published
 * @param revision grows by one with each change of this row
 * @param expiresAt epoch second after which TTL may delete the row; absent while the author is a
 *     celebrity
 */
@StoredAs(RowKind.PULLED_AUTHOR)
public record PulledAuthor(
    String authorId,
    Instant pullFrom,
    @Nullable Instant pullUntil,
    long flagVersion,
    long publishedVersion,
    long revision,
    @Nullable Long expiresAt)
    implements Row {
  public static final String REVISION = "revision";

  /** Creates a row that expires as late as feeds may need it. */
  public PulledAuthor(
      String authorId,
      Instant pullFrom,
      @Nullable Instant pullUntil,
      long flagVersion,
      long publishedVersion,
      long revision) {
    this(
        authorId,
        pullFrom,
        pullUntil,
        flagVersion,
        publishedVersion,
        revision,
        pullUntil == null ? null : FeedEntry.expiry(pullUntil));
  }

  public static Key key(String authorId) {
    return new Key(Keys.PULL_REGISTRY, Keys.user(authorId));
  }

  /** Returns the row of an author without pulled posts. */
  public static PulledAuthor from(String authorId, Instant time) {
    return new PulledAuthor(authorId, time, null, 0, 0, 0);
  }

  /**
   * Returns the row after a change of the flag, unchanged for a version that is not newer.
   *
   * @param now the time of the local clock; a post that was written under the previous flag may
   *     have the time of another clock
   */
  public PulledAuthor flipped(boolean isCelebrity, long version, Instant now) {
    var until = isCelebrity ? null : now.plus(Timestamps.MAX_CLOCK_SKEW);
    return version <= flagVersion
        ? this
        : new PulledAuthor(authorId, pullFrom, until, version, publishedVersion, revision);
  }

  /** Returns the row with the author's current flag, whatever version is recorded; for repairs. */
  public PulledAuthor corrected(boolean isCelebrity, long version, Instant now) {
    var ended = pullUntil == null ? now.plus(Timestamps.MAX_CLOCK_SKEW) : pullUntil;
    var until = isCelebrity ? null : ended;
    return new PulledAuthor(authorId, pullFrom, until, version, publishedVersion, revision);
  }

  /**
   * Returns the row with a period that includes a pulled post. Readers would not find the post
   * otherwise.
   */
  public PulledAuthor covering(Instant createdAt) {
    var from = createdAt.isBefore(pullFrom) ? createdAt : pullFrom;
    var until = pullUntil != null && createdAt.isAfter(pullUntil) ? createdAt : pullUntil;
    return new PulledAuthor(authorId, from, until, flagVersion, publishedVersion, revision);
  }

  /** Returns whether the period includes a pulled post. */
  public boolean covers(Instant createdAt) {
    return !createdAt.isBefore(pullFrom) && (pullUntil == null || !createdAt.isAfter(pullUntil));
  }

  /** Returns the row for a reader who needs no posts older than a time. */
  public PulledAuthor notBefore(Instant time) {
    var from = time.isAfter(pullFrom) ? time : pullFrom;
    return new PulledAuthor(authorId, from, pullUntil, flagVersion, publishedVersion, revision);
  }

  /** Returns the row for a reader who needs no posts newer than a time. */
  public PulledAuthor notAfter(Instant time) {
    var until = pullUntil == null || time.isBefore(pullUntil) ? time : pullUntil;
    return new PulledAuthor(authorId, pullFrom, until, flagVersion, publishedVersion, revision);
  }

  /** Returns whether the period includes any time. */
  public boolean hasPeriod() {
    return pullUntil == null || !pullUntil.isBefore(pullFrom);
  }

  /** Returns the row after a change of the flag was published. */
  public PulledAuthor published(long version) {
    return new PulledAuthor(
        authorId, pullFrom, pullUntil, flagVersion, Math.max(publishedVersion, version), revision);
  }

  /** Returns whether the period of another row is the same, as far as readers see it. */
  public boolean isPulledLike(PulledAuthor other) {
    return pullFrom.equals(other.pullFrom) && Objects.equals(pullUntil, other.pullUntil);
  }

  /** Returns the row with the next revision, as it replaces this one. */
  public PulledAuthor next() {
    return new PulledAuthor(
        authorId, pullFrom, pullUntil, flagVersion, publishedVersion, revision + 1);
  }

  @Override
  public Key key() {
    return key(authorId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of(authorId);
  }

  @Override
  public List<Key> parents() {
    // Verification compares the row with the account and its posts.
    return List.of();
  }
}
