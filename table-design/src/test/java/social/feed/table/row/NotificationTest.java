package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which notifications the number of an inbox includes. */
class NotificationTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:15:00Z");

  @Test
  void newNotification_isCounted_unlessItIsRead() {
    var unread = new Notification("ann", "n", NotificationType.LIKE, "bob", "p", NOW, false, 9);
    var read = new Notification("ann", "n", NotificationType.LIKE, "bob", "p", NOW, true, 9);

    assertThat(unread.isCountedUnread()).isTrue();
    assertThat(unread.isUncounted()).isFalse();
    assertThat(read.isCountedUnread()).isFalse();
    assertThat(read.isUncounted()).isFalse();
  }

  @Test
  void unreadNotificationFromBeforeTheInbox_isUncounted() {
    assertThat(notification(false, null).isUncounted()).isTrue();
    assertThat(notification(false, null).isCountedUnread()).isFalse();
  }

  @Test
  void unreadNotification_thatIsSaidNotToBeCounted_isNotCounted_andNotFromBeforeTheInbox() {
    assertThat(notification(false, false).isCountedUnread()).isFalse();
    assertThat(notification(false, false).isUncounted()).isFalse();
  }

  @Test
  void readNotification_isNeverCountedUnread_whateverItsRowSaysOfTheCount() {
    assertThat(notification(true, true).isCountedUnread()).isFalse();
    assertThat(notification(true, true).isUncounted()).isFalse();
    assertThat(notification(true, null).isUncounted()).isFalse();
  }

  private static Notification notification(boolean read, @Nullable Boolean counted) {
    return new Notification("ann", "n", NotificationType.LIKE, "bob", "p", NOW, read, 9, counted);
  }
}
