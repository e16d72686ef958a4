package social.feed.streams.effect;

import java.util.List;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Key;
import social.feed.table.row.Notification;

/**
 * Writes notifications, and retracts those whose cause is gone: the effect may be late or redriven,
 * after the cause was undone and its notification retracted. One read unit each and two write
 * units, one where the notification was written before; and two read units for each recipient.
 */
public final class NotifyHandler implements EffectHandler<NotifyHandler.Notify> {
  /**
   * Notifies an account, unless the cause is gone.
   *
   * @param cause the row that the notification comes from
   */
  public record Notify(Notification notification, Key cause) implements Effect {}

  private final Notifications notifications;
  private final NotificationSources sources;
  private final NotificationFilter filter;
  private final int atOnce;

  public NotifyHandler(EffectContext context) {
    this.notifications = context.notifications;
    this.sources = context.sources;
    this.filter = context.filter;
    this.atOnce = context.sizes.notificationsAtOnce();
  }

  @Override
  public void apply(List<Notify> effects) {
    var all = effects.stream().map(Notify::notification).toList();
    var allowed = filter.allowed(all);
    notifications.addAll(all.stream().filter(allowed::contains).toList(), atOnce);
    // One that is filtered now may have been written by an attempt that was cut off.
    var present = sources.present(effects.stream().map(Notify::cause).toList());
    notifications.retract(
        effects.stream()
            .filter(
                effect -> !effect.notification().createdAt().equals(present.get(effect.cause())))
            .map(effect -> effect.notification().key())
            .toList());
  }
}
