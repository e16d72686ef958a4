package social.feed.streams.effect;

import java.util.List;
import java.util.Optional;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Key;

/**
 * Retracts notifications, together. One call for 25 of them. Two write units each, one where there
 * was none.
 */
public final class RetractHandler implements EffectHandler<RetractHandler.Retract> {
  /**
   * Retracts a notification.
   *
   * @param row the like, comment or follow edge that it came from; empty for another cause, whose
   *     effects keep the order of their partition
   */
  public record Retract(Key notification, Optional<Key> row) implements Effect {}

  private final Notifications notifications;

  public RetractHandler(EffectContext context) {
    this.notifications = context.notifications;
  }

  @Override
  public void apply(List<Retract> effects) {
    notifications.retract(effects.stream().map(Retract::notification).toList());
  }
}
