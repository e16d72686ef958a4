package social.feed.streams.effect;

import java.util.List;
import social.feed.streams.plan.Effect.Notify;
import social.feed.table.notification.Notifications;

/** Tells people things. Two write units each, one where it was told before. */
final class NotifyHandler implements EffectHandler<Notify> {
  private final Notifications notifications;

  NotifyHandler(Notifications notifications) {
    this.notifications = notifications;
  }

  @Override
  public void apply(List<Notify> effects) {
    effects.forEach(effect -> notifications.add(effect.notification()));
  }
}
