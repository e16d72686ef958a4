package social.feed.api.live;

import org.jspecify.annotations.Nullable;

/**
 * Something to tell a client.
 *
 * @param id with which it may come back
 * @param name what it is; absent for a heartbeat
 * @param data as pages show it; absent for a heartbeat
 */
record LiveEvent(EventId id, @Nullable String name, @Nullable Object data) {
  static final String FEED_ENTRY = "feed_entry";
  static final String NOTIFICATION = "notification";
  static final String RESYNC = "resync";
}
