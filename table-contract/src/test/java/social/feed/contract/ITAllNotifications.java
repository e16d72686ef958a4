package social.feed.contract;

import java.time.Instant;
import java.util.Random;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.testkit.TestTable;

/** FEED-013: the base table, newest first, including read notifications. */
class ITAllNotifications implements ListContract<Notification> {
  @Override
  public AccessPattern pattern() {
    return AccessPattern.FEED_013;
  }

  @Override
  public double unitsOfAFullPage() {
    return 2.5;
  }

  @Override
  public FilledList<Notification> list(TestTable table) {
    return new All(table, Names.fresh());
  }

  private record All(TestTable table, String user, Random random)
      implements FilledList<Notification> {
    private static final long EXPIRES_AT = 1_900_000_000L;

    All(TestTable table, String user) {
      this(table, user, new Random(user.hashCode()));
    }

    @Override
    public Page<Notification> page(PageRequest request) {
      return notifications().all(user, request);
    }

    @Override
    public Notification add(Instant time) {
      var id = TimeOrderedId.random(time, random);
      var post = TimeOrderedId.random(time, random);
      var notification =
          new Notification(
              user, id, NotificationType.LIKE, "actor00001", post, time, false, EXPIRES_AT);
      notifications().add(notification);
      return notification;
    }

    @Override
    public void remove(Notification notification) {
      notifications().retract(notification.key());
    }

    private Notifications notifications() {
      return new Notifications(table.table(), table.clock());
    }
  }
}
