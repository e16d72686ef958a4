package social.feed.table.row;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.schema.RecordSchema;

/** Which files can be shown, by whom and until when. */
class MediaTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:15:00.500Z");
  private static final PostMedia COPY = new PostMedia("m", "image/png", 2_048, 640, 480, "A cat");

  private final Media pending = file(null, null, NOW.getEpochSecond(), null, null);
  private final Media checked = file(640, 480, null, null, null);
  private final Media ofAPost = file(640, 480, null, "p", null);
  private final Media avatar = file(640, 480, null, null, Picture.AVATAR);

  @Test
  void checkedFile_isUsableByItsOwner_andByNoOther() {
    assertThat(checked.isUsableBy("ann")).isTrue();
    assertThat(checked.isUsableBy("bob")).isFalse();
  }

  @Test
  void file_thatIsPendingOrShown_isUsableByNoOne() {
    assertThat(pending.isUsableBy("ann")).isFalse();
    assertThat(ofAPost.isUsableBy("ann")).isFalse();
    assertThat(avatar.isUsableBy("ann")).isFalse();
  }

  @Test
  void upload_isComplete_onceItIsChecked() {
    assertThat(pending.isComplete()).isFalse();
    assertThat(checked.isComplete()).isTrue();
    assertThat(ofAPost.isComplete()).isTrue();
  }

  @Test
  void pendingFile_expiresAtItsSecond() {
    var expiry = Instant.ofEpochSecond(NOW.getEpochSecond());

    assertThat(pending.isExpired(expiry.minusMillis(1))).isFalse();
    assertThat(pending.isExpired(expiry)).isTrue();
    assertThat(pending.isExpired(expiry.plusSeconds(1))).isTrue();
  }

  @Test
  void checkedFile_neverExpires() {
    assertThat(checked.isExpired(Instant.MAX)).isFalse();
  }

  @Test
  void copyOfACheckedFile_isAllThatAPostShows() {
    assertThat(checked.copy()).contains(COPY);
    assertThat(ofAPost.copy()).contains(COPY);
  }

  @Test
  void copy_ofAFileWithoutACheckOrASize_isAbsent() {
    assertThat(pending.copy()).isEmpty();
    assertThat(file(640, 480, 9L, null, null).copy()).as("still expires").isEmpty();
    assertThat(file(null, 480, null, null, null).copy()).as("no width").isEmpty();
    assertThat(file(640, null, null, null, null).copy()).as("no height").isEmpty();
  }

  @Test
  void picture_isThatOfItsOwner_andInItsPlaceOnly() {
    assertThat(avatar.isPictureOf("ann", Picture.AVATAR)).isTrue();
    assertThat(avatar.isPictureOf("ann", Picture.BANNER)).isFalse();
    assertThat(avatar.isPictureOf("bob", Picture.AVATAR)).isFalse();
    assertThat(checked.isPictureOf("ann", Picture.AVATAR)).isFalse();
  }

  /** The quota of the owner is released once for each name. */
  @Test
  void deletion_isOneEventOfEachFile() {
    assertThat(pending.deletion()).isEqualTo("MEDIA#m#deleted").isEqualTo(ofAPost.deletion());
  }

  @Test
  void fileInTheListOfItsOwner_isNamedByItsSortKey() {
    var listed = requireNonNull(checked.indexKeys().get(Index.POSTS_BY_AUTHOR));

    assertThat(MediaRef.at(listed.sort())).isEqualTo(new MediaRef("m", NOW));
  }

  @Test
  void profile_showsEachPictureInItsPlace() {
    var banner = new PostMedia("b", "image/png", 9, 3, 1, null);

    assertThat(profile(COPY, banner).shown(Picture.AVATAR)).contains(COPY);
    assertThat(profile(COPY, banner).shown(Picture.BANNER)).contains(banner);
    assertThat(profile(null, banner).shown(Picture.AVATAR)).isEmpty();
    assertThat(profile(COPY, null).shown(Picture.BANNER)).isEmpty();
  }

  @Test
  void attributeOfAPicture_isOneOfTheAccount() {
    assertThat(RecordSchema.of(User.class).attributeNames())
        .contains(Picture.AVATAR.attribute(), Picture.BANNER.attribute());
    assertThat(Picture.AVATAR.attribute()).isEqualTo("avatar");
  }

  private static User profile(@Nullable PostMedia avatar, @Nullable PostMedia banner) {
    return new User("ann", "ann", "Ann", null, NOW, 0, 0, 0, 0, false, 0, Map.of(), avatar, banner);
  }

  private static Media file(
      @Nullable Integer width,
      @Nullable Integer height,
      @Nullable Long expiresAt,
      @Nullable String postId,
      @Nullable Picture shownAs) {
    return new Media(
        "m",
        "ann",
        "image/png",
        2_048,
        "f00d",
        "A cat",
        NOW,
        width,
        height,
        expiresAt,
        postId,
        shownAs);
  }
}
