package social.feed.streams.effect;

import java.util.List;
import social.feed.streams.plan.Effect.Retract;
import social.feed.table.notification.Notifications;

/** Takes notifications back. Two write units each, one where there was none. */
final class RetractHandler implements EffectHandler<Retract> {
  private final Notifications notifications;

  RetractHandler(Notifications notifications) {
    this.notifications = notifications;
  }

  @Override
  public void apply(List<Retract> effects) {
    effects.forEach(effect -> notifications.retract(effect.notification()));
  }
}
