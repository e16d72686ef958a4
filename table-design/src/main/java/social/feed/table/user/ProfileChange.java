package social.feed.table.user;

import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.store.SetExpression;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * New values of a profile; what is absent stays.
 *
 * @param handle the account gives up the one that it has
 * @param displayName 1 to 50 characters
 * @param bio an empty one removes it
 */
public record ProfileChange(
    @Nullable String handle, @Nullable String displayName, @Nullable String bio) {
  boolean isOfHandleOnly() {
    return displayName == null && bio == null;
  }

  /** Without the handle, which is not the account's alone. */
  SetExpression update() {
    var update = new SetExpression();
    if (displayName != null) {
      update.set(User.DISPLAY_NAME, AttributeValue.fromS(displayName));
    }
    if (bio != null) {
      if (bio.isEmpty()) {
        update.remove(User.BIO);
      } else {
        update.set(User.BIO, AttributeValue.fromS(bio));
      }
    }
    return update;
  }
}
