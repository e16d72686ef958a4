package social.feed.streams.effect;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import social.feed.streams.plan.Effect.Notify;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Key;

/**
 * Tells people things, and takes back what is no longer so: a late or redriven effect may find its
 * cause undone, and the undoing has long retracted what there was. One read unit each and two write
 * units, one where it was told before; two read units more for what not everybody may know.
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
    var may = causes.there(effects.stream().flatMap(effect -> effect.onlyWith().stream()).toList());
    var told = effects.stream().filter(effect -> may(effect, may)).toList();
    told.forEach(effect -> notifications.add(effect.notification()));
    var there = causes.there(told.stream().flatMap(NotifyHandler::needed).toList());
    for (var effect : told) {
      var notification = effect.notification();
      boolean caused = notification.createdAt().equals(there.get(effect.cause()));
      if (!caused || !may(effect, there)) {
        notifications.retract(notification.key());
      }
    }
  }

  private static boolean may(Notify effect, Map<Key, Instant> there) {
    return effect.onlyWith().map(there::containsKey).orElse(true);
  }

  private static Stream<Key> needed(Notify effect) {
    return Stream.concat(Stream.of(effect.cause()), effect.onlyWith().stream());
  }
}
