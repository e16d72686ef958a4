package social.feed.table.user;

import org.jspecify.annotations.Nullable;

/**
 * New values of a profile; what is absent stays.
 *
 * @param displayName 1 to 50 characters
 * @param bio an empty one removes it
 */
public record ProfileChange(@Nullable String displayName, @Nullable String bio) {
  boolean isEmpty() {
    return displayName == null && bio == null;
  }
}
