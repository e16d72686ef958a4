package social.feed.streams.effect;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.streams.Failures;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.ViewerRelations;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Notification;

/**
 * Selects the notifications whose recipients may receive them. No account is notified of an account
 * that it blocks or mutes, or that blocks it. A block or mute that comes later hides the
 * notification when it is read. Nor is one notified when it is too late: an old post may become
 * public. Two or three read units for the first actor of each recipient, none for a late
 * notification. A batch with several actors of one recipient costs as {@link ViewerRelations}
 * states for several accounts.
 */
final class NotificationFilter {
  private static final Logger LOG = LoggerFactory.getLogger(NotificationFilter.class);

  private final BlocksAndMutes blocksAndMutes;
  private final int atOnce;
  private final Clock clock;

  /**
   * @param atOnce recipients whose blocks and mutes are read concurrently
   */
  NotificationFilter(BlocksAndMutes blocksAndMutes, int atOnce, Clock clock) {
    this.blocksAndMutes = blocksAndMutes;
    this.atOnce = atOnce;
    this.clock = clock;
  }

  /** Returns the notifications that may be written. */
  Set<Notification> allowed(List<Notification> notifications) {
    var now = clock.instant();
    var byRecipient =
        notifications.stream()
            .filter(one -> !Notifications.isLate(one.expiresAt(), now))
            .collect(Collectors.groupingBy(Notification::userId));
    var recipients = List.copyOf(byRecipient.keySet());
    var allowed =
        atOnce == 1
            ? recipients.stream().map(to -> allowed(to, byRecipient)).toList()
            : ParallelCalls.mapUntilFailure(recipients, atOnce, to -> allowed(to, byRecipient));
    return allowed.stream().flatMap(List::stream).collect(Collectors.toSet());
  }

  /**
   * A recipient of several whose blocks or mutes cannot be decoded is not notified, and the others
   * are.
   */
  private List<Notification> allowed(String recipient, Map<String, List<Notification>> all) {
    try {
      return blocksAndMutes
          .around(recipient)
          .audible(
              all.getOrDefault(recipient, List.of()),
              Notification::actorId,
              Notification::createdAt);
    } catch (RuntimeException e) {
      if (all.size() == 1 || Failures.isRetryable(e)) {
        throw e;
      }
      LOG.warn("Account {} is not notified: its blocks or mutes cannot be read", recipient, e);
      return List.of();
    }
  }
}
