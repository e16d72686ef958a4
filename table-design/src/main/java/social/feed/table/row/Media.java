package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.Index;

/**
 * A file of an account: {@code MEDIA#<id> / META}, in GSI1 by time with the other files of its
 * owner. The bytes are in the {@link social.feed.table.media.MediaStore}. A file is pending until
 * its upload is checked; a pending one expires.
 *
 * @param mediaId the file
 * @param ownerId the account that uploads it
 * @param contentType such as {@code image/png}, as declared and later checked
 * @param bytes the declared size of the upload
 * @param sha256 the declared digest of the upload, in lower-case hexadecimal
 * @param alt a description for people who do not see the image; absent when never given
 * @param createdAt when the upload was announced
 * @param width in pixels, absent while pending
 * @param height in pixels, absent while pending
 * @param expiresAt epoch second from which on a pending file is treated as absent; absent once the
 *     upload is checked
 * @param postId the post that shows the file; absent while none does
 * @param shownAs which picture of its owner it is; absent while it is none
 */
@StoredAs(RowKind.MEDIA)
public record Media(
    String mediaId,
    String ownerId,
    String contentType,
    long bytes,
    String sha256,
    @Nullable String alt,
    Instant createdAt,
    @Nullable Integer width,
    @Nullable Integer height,
    @Nullable Long expiresAt,
    @Nullable String postId,
    @Nullable Picture shownAs)
    implements Row {
  public static final String OWNER_ID = "owner_id";
  public static final String ALT = "alt";
  public static final String WIDTH = "width";
  public static final String HEIGHT = "height";
  public static final String EXPIRES_AT = "expires_at";
  public static final String POST_ID = "post_id";
  public static final String SHOWN_AS = "shown_as";

  /** Creates a file that is shown nowhere. */
  public Media(
      String mediaId,
      String ownerId,
      String contentType,
      long bytes,
      String sha256,
      @Nullable String alt,
      Instant createdAt,
      @Nullable Integer width,
      @Nullable Integer height,
      @Nullable Long expiresAt) {
    this(
        mediaId,
        ownerId,
        contentType,
        bytes,
        sha256,
        alt,
        createdAt,
        width,
        height,
        expiresAt,
        null,
        null);
  }

  public static Key key(String mediaId) {
    return new Key(Keys.media(mediaId), Keys.META);
  }

  /** Returns the name of the event that a file was deleted, by which its quota is released. */
  public String deletion() {
    return Keys.media(mediaId) + "#" + ProcessedEvent.DELETED;
  }

  /** Returns what a post or profile keeps of the file, empty while the upload is not checked. */
  public Optional<PostMedia> copy() {
    return width == null || height == null || !isComplete()
        ? Optional.empty()
        : Optional.of(new PostMedia(mediaId, contentType, bytes, width, height, alt));
  }

  /** Returns whether an account can show the file, which is checked and not shown elsewhere. */
  public boolean isUsableBy(String userId) {
    return ownerId.equals(userId) && isComplete() && postId == null && shownAs == null;
  }

  /** Returns whether the file is a picture of an account. */
  public boolean isPictureOf(String userId, Picture picture) {
    return ownerId.equals(userId) && shownAs == picture;
  }

  /** Returns whether the upload was checked. */
  public boolean isComplete() {
    return expiresAt == null;
  }

  /** Returns whether a pending file has expired. TTL deletes the row later. */
  public boolean isExpired(Instant now) {
    return expiresAt != null && expiresAt <= now.getEpochSecond();
  }

  @Override
  public Key key() {
    return key(mediaId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of(ownerId);
  }

  @Override
  public List<Key> parents() {
    var owner = User.key(ownerId);
    return postId == null ? List.of(owner) : List.of(owner, Post.key(postId));
  }

  @Override
  public Map<Index, Key> indexKeys() {
    return Map.of(
        Index.POSTS_BY_AUTHOR,
        new Key(Keys.mediaOf(ownerId), Keys.timed(createdAt, Keys.media(mediaId))));
  }
}
