package social.feed.streams.sink;

import social.feed.event.DomainEvent;

/** Publishes events in another system. */
@FunctionalInterface
public interface Publisher {
  /**
   * Publishes an event, and returns when the other system has it. The same event may come again.
   *
   * @throws RuntimeException when it may not have been published; it then comes again later
   */
  void publish(DomainEvent event);

  /** Returns whether it takes an event now. One that it does not take is dropped, unread. */
  default boolean wants(DomainEvent event) {
    return true;
  }

  /** Returns whether events wait now, without a try and without a failure. */
  default boolean isPaused() {
    return false;
  }
}
