package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.declaration.Index;

/** When the number of an inbox answers, and what it says about notifications. */
class InboxTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:15:00Z");
  private static final long UNTIL = NOW.getEpochSecond();

  @Test
  void number_ofASettledInbox_answersUntilANotificationMayExpire() {
    var settled = inbox(true, null, UNTIL, 1);

    assertThat(settled.isSettledAt(UNTIL - 1)).isTrue();
    assertThat(settled.isSettledAt(UNTIL)).isFalse();
    assertThat(settled.isSettledAt(UNTIL + 1)).isFalse();
  }

  @Test
  void number_whileAnyWorkIsLeft_doesNotAnswer() {
    assertThat(inbox(false, null, UNTIL, 1).isSettledAt(UNTIL - 1))
        .as("older notifications")
        .isFalse();
    assertThat(inbox(true, NOW, UNTIL, 1).isSettledAt(UNTIL - 1)).as("marked as read").isFalse();
    assertThat(inbox(true, null, null, 1).isSettledAt(UNTIL - 1)).as("unknown expiry").isFalse();
    assertThat(inbox(true, null, UNTIL, 0).isSettledAt(UNTIL - 1)).as("a mute").isFalse();
    assertThat(Inbox.empty("ann").isSettledAt(0)).as("a new inbox").isFalse();
  }

  @Test
  void mute_mayHideANotification_untilNoneDidAtTheLatestMute() {
    assertThat(Inbox.empty("ann").mayMute()).as("mutes from before the inbox").isTrue();
    assertThat(inbox(true, null, UNTIL, 1).mayMute()).isFalse();
    assertThat(inbox(true, null, UNTIL, 0).mayMute()).as("a mute began since").isTrue();
  }

  @Test
  void notification_countsAsRead_upToTheTimeAndAtIt() {
    var inbox = Inbox.empty("ann").readUpTo(NOW);

    assertThat(inbox.isReadAt(NOW.minusMillis(1))).isTrue();
    assertThat(inbox.isReadAt(NOW)).isTrue();
    assertThat(inbox.isReadAt(NOW.plusMillis(1))).isFalse();
  }

  @Test
  void notification_ofAnInboxWhoseRowsSayWhatWasRead_doesNotCountAsRead() {
    assertThat(Inbox.empty("ann").isReadAt(Instant.MIN)).isFalse();
  }

  @Test
  void hiddenKeys_areThoseOfTheNotificationsAtTheHiddenPlaces() {
    var one = notification("n1", NOW);
    var other = notification("n2", NOW.plusSeconds(1));

    var inbox = hiding(List.of(place(one), place(other)));

    assertThat(inbox.hiddenPlaces()).containsExactly(place(one), place(other));
    assertThat(inbox.hiddenKeys()).containsExactly(one.key(), other.key());
  }

  @Test
  void inbox_withoutHiddenNotifications_namesNone() {
    assertThat(hiding(null).hiddenPlaces()).isEmpty();
    assertThat(hiding(null).hiddenKeys()).isEmpty();
    assertThat(hiding(List.of())).isEqualTo(hiding(null));
  }

  private static Notification notification(String id, Instant createdAt) {
    return new Notification("ann", id, NotificationType.LIKE, "bob", "p", createdAt, false, 9);
  }

  private static String place(Notification notification) {
    return notification.indexKeys().getOrDefault(Index.UNREAD, notification.key()).sort();
  }

  private static Inbox hiding(@Nullable List<String> hidden) {
    return new Inbox("ann", 2, Map.of(), true, null, null, UNTIL, 1, 1, "f00d", hidden, null);
  }

  private static Inbox inbox(
      boolean complete, @Nullable Instant readUpTo, @Nullable Long currentUntil, long unmuted) {
    return new Inbox(
        "ann", 2, Map.of(), complete, null, readUpTo, currentUntil, 1, unmuted, null, null, null);
  }
}
