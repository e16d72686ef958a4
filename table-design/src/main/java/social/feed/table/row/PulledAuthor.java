package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.time.Timestamps;

/**
 * An author who has posts that are pulled: {@code REGISTRY#PULL / USER#<id>}. It stays after the
 * author is no celebrity any more, since the posts of that time do.
 *
 * @param authorId whose posts
 * @param pullFrom no pulled post is older
 * @param pullUntil no pulled post is newer; absent while the author is a celebrity
 * @param flagVersion of the flag that was noted last, as {@link User#celebrityVersion}
 * @param publishedVersion of the flag that was published last
 * @param revision grows by one with each change of this row
 */
@StoredAs(RowKind.PULLED_AUTHOR)
public record PulledAuthor(
    String authorId,
    Instant pullFrom,
    @Nullable Instant pullUntil,
    long flagVersion,
    long publishedVersion,
    long revision)
    implements Row {
  public static final String REVISION = "revision";

  public static Key key(String authorId) {
    return new Key(Keys.PULL_REGISTRY, Keys.user(authorId));
  }

  /** The row of an author who has no pulled post yet. */
  public static PulledAuthor from(String authorId, Instant time) {
    return new PulledAuthor(authorId, time, null, 0, 0, 0);
  }

  /**
   * After a flip of the flag; an older one than is noted changes nothing.
   *
   * @param now by the clock here; a post that was written under the flag before may have a time
   *     from another
   */
  public PulledAuthor flipped(boolean isCelebrity, long version, Instant now) {
    var until = isCelebrity ? null : now.plus(Timestamps.CLOCKS_DIFFER);
    return version <= flagVersion
        ? this
        : new PulledAuthor(authorId, pullFrom, until, version, publishedVersion, revision);
  }

  /** As the author's flag is, whatever was noted: for repairs. */
  public PulledAuthor corrected(boolean isCelebrity, long version, Instant now) {
    var ended = pullUntil == null ? now.plus(Timestamps.CLOCKS_DIFFER) : pullUntil;
    var until = isCelebrity ? null : ended;
    return new PulledAuthor(authorId, pullFrom, until, version, publishedVersion, revision);
  }

  /** With a pulled post of a time, which readers would not look for otherwise. */
  public PulledAuthor covering(Instant createdAt) {
    var from = createdAt.isBefore(pullFrom) ? createdAt : pullFrom;
    var until = pullUntil != null && createdAt.isAfter(pullUntil) ? createdAt : pullUntil;
    return new PulledAuthor(authorId, from, until, flagVersion, publishedVersion, revision);
  }

  /** As somebody reads it who wants no posts older than a time. */
  public PulledAuthor notBefore(Instant time) {
    var from = time.isAfter(pullFrom) ? time : pullFrom;
    return new PulledAuthor(authorId, from, pullUntil, flagVersion, publishedVersion, revision);
  }

  /** After a flip was published. */
  public PulledAuthor published(long version) {
    return new PulledAuthor(
        authorId, pullFrom, pullUntil, flagVersion, Math.max(publishedVersion, version), revision);
  }

  /** As it is to be stored in place of this. */
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
