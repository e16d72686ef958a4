package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Follow;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Row;
import social.feed.table.row.TopAuthor;

/** The later times agree with each other. */
class EarlierTableTest {
  private final List<Row> rows = EarlierTable.items().stream().map(RowCodec::decode).toList();

  private <R extends Row> Stream<R> of(Class<R> type) {
    return rows.stream().filter(type::isInstance).map(type::cast);
  }

  @Test
  void follows_areOneToThreeDaysOld_andCountInTheirMonth() {
    var now = Instant.now();
    assertThat(of(Follow.class).map(Follow::createdAt))
        .isNotEmpty()
        .allMatch(at -> at.isBefore(now.minus(Duration.ofDays(1))))
        .allMatch(at -> at.isAfter(now.minus(Duration.ofDays(3))));
    var follow = of(Follow.class).findAny().orElseThrow();
    var month = YearMonth.from(follow.createdAt().atOffset(ZoneOffset.UTC)).toString();
    assertThat(of(TopAuthor.class).map(TopAuthor::month)).isNotEmpty().containsOnly(month);
  }

  /** Without this, what takes a like back would not find its notification. */
  @Test
  void idsOfNotifications_areThoseOfTheirTimes() {
    assertThat(of(Notification.class).filter(each -> each.type() != NotificationType.COMMENT))
        .hasSizeGreaterThan(50)
        .allSatisfy(each -> assertThat(each.notificationId()).isEqualTo(derived(each)));
  }

  private static String derived(Notification of) {
    var subject = of.postId() == null ? of.userId() : of.postId();
    return TimeOrderedId.named(
        of.createdAt(), of.type().name(), of.userId(), of.actorId(), subject);
  }
}
