package social.feed.api.live;

import org.jspecify.annotations.Nullable;

/**
 * An event for a client.
 *
 * @param id with which the client may reconnect
 * @param name the type of the event; absent for a heartbeat
 * @param data the body as in pages; absent for a heartbeat
 */
record LiveEvent(EventId id, @Nullable String name, @Nullable Object data) {
  static final String FEED_ENTRY = "feed_entry";
  static final String NOTIFICATION = "notification";
  static final String RESYNC = "resync";
}
