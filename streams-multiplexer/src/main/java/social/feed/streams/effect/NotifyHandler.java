package social.feed.streams.effect;

import java.util.List;
import social.feed.streams.plan.Effect.Notify;
import social.feed.table.notification.Notifications;

/**
 * Tells people things, and takes back what is no longer so: a late or redriven effect may find its
 * cause undone, and the undoing has long retracted what there was. One read unit each and two write
 * units, one where it was told before; and two read units for each of those who are told.
 */
final class NotifyHandler implements EffectHandler<Notify> {
  private final Notifications notifications;
  private final NotificationSources causes;
  private final NotificationFilter listeners;

  NotifyHandler(
      Notifications notifications, NotificationSources causes, NotificationFilter listeners) {
    this.notifications = notifications;
    this.listeners = listeners;
    this.causes = causes;
  }

  @Override
  public void apply(List<Notify> effects) {
    var wanted = listeners.wanted(effects.stream().map(Notify::notification).toList());
    var told = effects.stream().filter(e -> wanted.contains(e.notification())).toList();
    told.forEach(effect -> notifications.add(effect.notification()));
    // One that is not told now may have been, by an attempt that was cut off.
    var there = causes.there(effects.stream().map(Notify::cause).toList());
    for (var effect : effects) {
      var notification = effect.notification();
      if (!notification.createdAt().equals(there.get(effect.cause()))) {
        notifications.retract(notification.key());
      }
    }
  }
}
