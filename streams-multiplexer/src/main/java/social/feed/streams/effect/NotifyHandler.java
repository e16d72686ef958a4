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
 * units, one where it was told before; two read units more for what not everybody may know, and two
 * for each of those who are told.
 */
final class NotifyHandler implements EffectHandler<Notify> {
  private final Notifications notifications;
  private final Causes causes;
  private final Listeners listeners;

  NotifyHandler(Notifications notifications, Causes causes, Listeners listeners) {
    this.notifications = notifications;
    this.listeners = listeners;
    this.causes = causes;
  }

  @Override
  public void apply(List<Notify> effects) {
    var may = causes.there(effects.stream().flatMap(effect -> effect.onlyWith().stream()).toList());
    var allowed = effects.stream().filter(effect -> may(effect, may)).toList();
    var wanted = listeners.wanted(allowed.stream().map(Notify::notification).toList());
    var told = allowed.stream().filter(e -> wanted.contains(e.notification())).toList();
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
