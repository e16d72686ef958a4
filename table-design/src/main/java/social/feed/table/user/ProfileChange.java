package social.feed.table.user;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Picture;
import social.feed.table.row.PostMedia;
import social.feed.table.row.User;

/**
 * New values of a profile. Absent components stay as they are.
 *
 * @param handle replaces the account's handle
 * @param displayName 1 to 50 characters
 * @param bio an empty text removes it
 * @param pictures the files of the pictures that change, empty to remove one
 */
public record ProfileChange(
    @Nullable String handle,
    @Nullable String displayName,
    @Nullable String bio,
    Map<Picture, Optional<String>> pictures) {

  public ProfileChange {
    pictures = Map.copyOf(pictures);
  }

  /** Creates a change that keeps the pictures. */
  public ProfileChange(
      @Nullable String handle, @Nullable String displayName, @Nullable String bio) {
    this(handle, displayName, bio, Map.of());
  }

  /** Returns whether it changes the account's row without the rows of handles and files. */
  boolean isOfRowOnly() {
    return handle == null && pictures.isEmpty();
  }

  /** Returns whether it leaves the account's row as it is. */
  boolean isEmpty() {
    return isOfRowOnly() && displayName == null && bio == null;
  }

  /** Returns the change without the handle and the pictures that the account has. */
  ProfileChange of(User user) {
    var others = new EnumMap<Picture, Optional<String>>(Picture.class);
    pictures.forEach(
        (picture, mediaId) -> {
          if (!user.shown(picture).map(PostMedia::mediaId).equals(mediaId)) {
            others.put(picture, mediaId);
          }
        });
    return new ProfileChange(
        user.handle().equals(handle) ? null : handle, displayName, bio, others);
  }

  /** The update without handle and pictures, which need other rows as well. */
  Update update() {
    var update = new Update();
    if (displayName != null) {
      update.set(User.DISPLAY_NAME, displayName);
    }
    if (bio != null) {
      if (bio.isEmpty()) {
        update.remove(User.BIO);
      } else {
        update.set(User.BIO, bio);
      }
    }
    return update;
  }
}
