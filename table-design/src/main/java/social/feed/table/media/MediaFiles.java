package social.feed.table.media;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.atMost;
import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.lacks;
import static social.feed.table.kernel.store.Condition.less;
import static social.feed.table.kernel.store.Condition.present;

import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.store.Transaction;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.EngagementKey;
import social.feed.table.row.Keys;
import social.feed.table.row.Media;
import social.feed.table.row.MediaRef;
import social.feed.table.row.Picture;
import social.feed.table.row.Post;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.User;

/**
 * Rows of files. The account's row counts its files and their bytes: {@link #reserve} adds to them
 * in the transaction that writes the row, and {@link #release} subtracts once after the row was
 * deleted, for any reason. So the quota is exact under concurrency, and may be released late.
 */
public final class MediaFiles {
  private static final RecordSchema<Media> SCHEMA = RecordSchema.of(Media.class);

  private final Table table;
  private final PagedQueries lists;

  public MediaFiles(Table table) {
    this.table = table;
    this.lists = new PagedQueries(table);
  }

  /**
   * Writes the row of a new pending file. Five write units.
   *
   * @throws ThrottledException when concurrent writes keep changing the account
   */
  public MediaOutcome reserve(Media media, MediaQuota quota) {
    if (!quota.admits(media)) {
      return MediaOutcome.OVER_QUOTA;
    }
    var account = User.key(media.ownerId());
    return table
        .retry()
        .until(
            "Reservation of " + media.key(),
            () -> {
              var outcome =
                  reserving(table.transaction().put(media, absent()), media, quota).commit();
              if (outcome.isDone()) {
                return Optional.of(MediaOutcome.RESERVED);
              }
              if (!outcome.failedAt(account)) {
                return Optional.empty();
              }
              return Optional.of(
                  outcome.existing(account).isPresent()
                      ? MediaOutcome.OVER_QUOTA
                      : MediaOutcome.NO_ACCOUNT);
            });
  }

  /**
   * Adds the reservation for a new file to the transaction that writes its row.
   *
   * @param quota admits the file alone
   */
  public static Transaction reserving(Transaction transaction, Media media, MediaQuota quota) {
    var isWithin =
        present()
            .and(lacks(User.MEDIA_COUNT).or(less(User.MEDIA_COUNT, quota.files())))
            .and(
                lacks(User.MEDIA_BYTES)
                    .or(atMost(User.MEDIA_BYTES, quota.bytes() - media.bytes())));
    return transaction.update(
        User.key(media.ownerId()),
        new Update().increment(User.MEDIA_COUNT, 1).increment(User.MEDIA_BYTES, media.bytes()),
        isWithin.returningItem());
  }

  /**
   * Subtracts a deleted file from its account, once. Four write units; none without an account.
   *
   * @param clock decides how long the release is remembered
   * @throws ThrottledException when concurrent writes keep changing the account
   */
  public void release(Media media, Clock clock) {
    var event =
        new ProcessedEvent(
            media.deletion(), clock.instant().plus(Retention.PROCESSED_EVENTS).getEpochSecond());
    var given = new Update().add(User.MEDIA_COUNT, -1).add(User.MEDIA_BYTES, -media.bytes());
    // The account of an earlier owner of the id lacks the numbers.
    var counts = present().and(atMost(User.MEDIA_COUNT, Long.MAX_VALUE));
    table
        .retry()
        .until(
            "Release of " + media.key(),
            () -> {
              var outcome =
                  table
                      .transaction()
                      .put(event, absent())
                      .update(User.key(media.ownerId()), given, counts)
                      .commit();
              return outcome.isDone() || outcome.hasFailedCondition()
                  ? Optional.of(true)
                  : Optional.empty();
            });
  }

  /** Returns a file, strongly consistent. One read unit. */
  public Optional<Media> get(String mediaId) {
    return table.get(Media.key(mediaId)).map(SCHEMA::mapToItem);
  }

  /**
   * Returns files by id without absent ones. Half a read unit each, one when strong.
   *
   * @param strong whether the read is strongly consistent, so that an upload completed just now is
   *     complete
   */
  public Map<String, Media> getAll(Collection<String> mediaIds, boolean strong) {
    return table.getAll(mediaIds.stream().map(Media::key).toList(), strong).stream()
        .map(Media.class::cast)
        .collect(Collectors.toMap(Media::mediaId, media -> media));
  }

  /** Returns files of an account, newest first, pending ones too. Position is the GSI1 sort key. */
  @Serves(AccessPattern.FEED_018)
  public Page<MediaRef> of(String ownerId, PageRequest request) {
    return lists
        .ofIndex(AccessPattern.FEED_018, EngagementKey.class, Keys.mediaOf(ownerId), request)
        .fromPositions(MediaRef::at);
  }

  /**
   * Notes that the upload of a pending file was checked, so that it no longer expires. A repeat
   * changes nothing. One write unit.
   *
   * @return the file after it, empty when it was deleted
   */
  public Optional<Media> complete(Media pending, int width, int height) {
    return change(
        pending,
        new Update().set(Media.WIDTH, width).set(Media.HEIGHT, height).remove(Media.EXPIRES_AT));
  }

  /**
   * Changes the description of a file. One write unit.
   *
   * @param alt empty to remove it
   * @return the file after it, empty when it was deleted
   */
  public Optional<Media> describe(Media media, @Nullable String alt) {
    return change(
        media,
        alt == null || alt.isEmpty()
            ? new Update().remove(Media.ALT)
            : new Update().set(Media.ALT, alt));
  }

  private Optional<Media> change(Media media, Update update) {
    return table.updateAndGet(media.key(), update, present()).map(SCHEMA::mapToItem);
  }

  /**
   * Deletes a file of an account, unless a post or the profile shows it. The stream removes its
   * objects and releases its quota. Two write units.
   */
  public MediaDeletion delete(String mediaId, String ownerId) {
    var key = Media.key(mediaId);
    var outcome = table.delete(key, isFree(ownerId).returningItem());
    if (outcome.isDone()) {
      return MediaDeletion.DELETED;
    }
    return outcome
        .existing(key)
        .map(SCHEMA::mapToItem)
        .filter(media -> media.ownerId().equals(ownerId))
        .map(_ -> MediaDeletion.SHOWN)
        .orElse(MediaDeletion.ABSENT);
  }

  /**
   * Deletes uploads that were not completed in time, among the newest files of an account. TTL does
   * so as well, up to days later. The stream releases their quota. Half a read unit for 4 KB of the
   * index and for each of fifty files, and two write units for each deletion.
   *
   * @return the number of deleted ones
   */
  public long deleteExpired(String ownerId, Instant now) {
    var newest = of(ownerId, PageRequest.first(AccessPattern.FEED_018.maxPage()));
    var isExpired = isFree(ownerId).and(atMost(Media.EXPIRES_AT, now.getEpochSecond()));
    return getAll(newest.items().stream().map(MediaRef::mediaId).toList(), false).values().stream()
        .filter(media -> media.isExpired(now))
        .filter(media -> table.delete(media.key(), isExpired).isDone())
        .count();
  }

  /**
   * Writes a post with files, if each is a checked one of its author that is shown nowhere. Three
   * write units for the post, and three for each file, whose index entry has the post too.
   *
   * @return whether it was written
   * @throws ThrottledException when the transaction keeps meeting others
   */
  public boolean post(Post post) {
    return table
        .retry()
        .until(
            "Files of " + post.key(),
            () -> {
              var outcome = showing(table.transaction().put(post, absent()), post).commit();
              return outcome.isDone() || outcome.hasFailedCondition()
                  ? Optional.of(outcome.isDone())
                  : Optional.empty();
            });
  }

  /** Adds the files of a post to the transaction that writes it. */
  public static Transaction showing(Transaction transaction, Post post) {
    for (var file : post.files()) {
      var shown = new Update().set(Media.POST_ID, post.postId());
      transaction.update(Media.key(file.mediaId()), shown, isUsable(post.authorId()));
    }
    return transaction;
  }

  /**
   * Adds the file of a picture to the transaction that writes the profile of its owner. Two write
   * units.
   */
  public static Transaction showing(Transaction transaction, Media file, Picture picture) {
    var shown = new Update().set(Media.SHOWN_AS, picture.attribute());
    return transaction.update(file.key(), shown, isUsable(file.ownerId()));
  }

  /**
   * Adds the deletion of a picture's file to the transaction that writes the profile of its owner.
   * Three write units.
   */
  public static Transaction replacing(Transaction transaction, Media file, Picture picture) {
    return transaction.delete(
        file.key(),
        equal(Media.OWNER_ID, file.ownerId()).and(equal(Media.SHOWN_AS, picture.attribute())));
  }

  private static Condition isFree(String ownerId) {
    return equal(Media.OWNER_ID, ownerId).and(lacks(Media.POST_ID)).and(lacks(Media.SHOWN_AS));
  }

  private static Condition isUsable(String ownerId) {
    return isFree(ownerId).and(lacks(Media.EXPIRES_AT));
  }

  /** Deletes the files of a deleted post; they may be gone. Two write units each. */
  public void deleteOf(Post post) {
    for (var file : post.files()) {
      table.delete(Media.key(file.mediaId()), equal(Media.POST_ID, post.postId()));
    }
  }
}
