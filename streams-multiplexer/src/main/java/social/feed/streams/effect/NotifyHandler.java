package social.feed.streams.effect;

import java.util.List;
import social.feed.streams.plan.Effect.Notify;
import social.feed.table.notification.Notifications;

/**
 * Tells people things, and takes back what is no longer so: a late or redriven effect may find its
 * cause undone, and the undoing has long retracted what there was. One read unit each and two write
 * units, one where it was told before.
 */
final class NotifyHandler implements EffectHandler<Notify> {
  private final Notifications notifications;
  private final Causes causes;

  NotifyHandler(Notifications notifications, Causes causes) {
    this.notifications = notifications;
    this.causes = causes;
  }

  @Override
  public void apply(List<Notify> effects) {
    effects.forEach(effect -> notifications.add(effect.notification()));
    var there = causes.there(effects.stream().map(Notify::cause).toList());
    for (var effect : effects) {
      var notification = effect.notification();
      if (!notification.createdAt().equals(there.get(effect.cause()))) {
        notifications.retract(notification.key());
      }
    }
  }
}
