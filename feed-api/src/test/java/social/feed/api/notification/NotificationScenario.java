package social.feed.api.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.http.Api;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.Paged;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** A user with notifications about actions of others. */
@ExtendWith(FeedServerExtension.class)
abstract class NotificationScenario {
  static final String LIST = "/v1/notifications";
  static final String POST = "01890a5d-ac96-774b-bcce-b302099a8057";

  final FeedServer server;
  final SeedWorld world;
  final Person ann;
  final Person bob;
  final Api caller;
  final Instant start = Instant.now().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);

  NotificationScenario(FeedServer server, SeedWorld world) {
    this.server = server;
    this.world = world;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.caller = server.as(ann);
  }

  /** Writes a notification as the stream does. */
  String notified(int minute, NotificationType type, String actorId, Duration lives) {
    @Nullable String post = type == NotificationType.FOLLOW ? null : POST;
    return notified(minute, type, post, actorId, lives);
  }

  String notified(
      int minute, NotificationType type, @Nullable String post, String actorId, Duration lives) {
    Instant at = start.plus(Duration.ofMinutes(minute));
    Notification notification =
        new Notification(
            ann.id(),
            TimeOrderedId.named(at, ann.id(), type.name(), actorId),
            type,
            actorId,
            post,
            at,
            false,
            Instant.now().plus(lives).getEpochSecond());
    world.notifications.add(notification);
    return notification.notificationId();
  }

  String notified(int minute) {
    return notified(minute, NotificationType.LIKE, bob.id(), Duration.ofDays(1));
  }

  String notified(int minute, NotificationType type, Person actor) {
    return notified(minute, type, actor.id(), Duration.ofDays(1));
  }

  void assertUnread(int count) {
    assertThat(caller.get(LIST + "/unread-count").text()).isEqualTo("{\"count\":" + count + "}");
    assertThat(Paged.ids(caller, LIST + "?unread=true", 50)).hasSize(count);
  }
}
