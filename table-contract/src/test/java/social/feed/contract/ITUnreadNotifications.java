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
import social.feed.table.row.UnreadRef;
import social.feed.testkit.TestTable;

/** FEED-009: GSI_NOTIF, newest first, unread ones only. */
class ITUnreadNotifications implements ListContract<UnreadRef> {
  @Override
  public AccessPattern pattern() {
    return AccessPattern.FEED_009;
  }

  @Override
  public double unitsOfAFullPage() {
    return 2.5;
  }

  @Override
  public FilledList<UnreadRef> list(TestTable table) {
    return new Unread(table, Names.fresh());
  }

  private record Unread(TestTable table, String user, Random random)
      implements FilledList<UnreadRef> {
    private static final long EXPIRES_AT = 1_900_000_000L;

    Unread(TestTable table, String user) {
      this(table, user, new Random(user.hashCode()));
    }

    @Override
    public Page<UnreadRef> page(PageRequest request) {
      return notifications().unread(user, request);
    }

    @Override
    public UnreadRef add(Instant time) {
      var id = TimeOrderedId.random(time, random);
      var post = TimeOrderedId.random(time, random);
      var type = NotificationType.LIKE;
      notifications()
          .add(new Notification(user, id, type, "actor00001", post, time, false, EXPIRES_AT));
      return new UnreadRef(user, id, type, "actor00001", post, time, EXPIRES_AT);
    }

    @Override
    public void remove(UnreadRef ref) {
      notifications().retract(Notification.key(user, ref.createdAt(), ref.notificationId()));
    }

    private Notifications notifications() {
      return new Notifications(table.table(), table.clock());
    }
  }
}
