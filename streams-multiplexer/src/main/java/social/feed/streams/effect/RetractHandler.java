package social.feed.streams.effect;

import java.util.List;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Key;

/**
 * Retracts notifications, 25 with a call: each like that goes with its post has one. Two write
 * units each, one where there was none.
 */
public final class RetractHandler implements EffectHandler<RetractHandler.Retract> {
  /** Retracts a notification. */
  public record Retract(Key notification) implements Effect {}

  private final Notifications notifications;

  public RetractHandler(EffectContext context) {
    this.notifications = context.notifications;
  }

  @Override
  public void apply(List<Retract> effects) {
    notifications.retract(effects.stream().map(Retract::notification).toList());
  }
}
