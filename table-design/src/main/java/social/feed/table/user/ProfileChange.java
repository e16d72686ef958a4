package social.feed.table.user;

import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.User;

/**
 * New values of a profile. Absent components stay as they are.
 *
 * @param handle replaces the account's handle
 * @param displayName 1 to 50 characters
 * @param bio an empty text removes it
 */
public record ProfileChange(
    @Nullable String handle, @Nullable String displayName, @Nullable String bio) {
  boolean isOfHandleOnly() {
    return displayName == null && bio == null;
  }

  /** The update without the handle, which needs a claim as well. */
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
