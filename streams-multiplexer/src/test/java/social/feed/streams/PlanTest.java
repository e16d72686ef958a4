package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import social.feed.streams.change.Change;
import social.feed.streams.plan.Effect;
import social.feed.streams.plan.Effect.Notify;
import social.feed.streams.plan.Effect.NotifyMentioned;
import social.feed.streams.plan.Effect.PostInteraction;
import social.feed.streams.plan.Effect.Retract;
import social.feed.streams.plan.Plan;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Notification;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;

class PlanTest {
  private final Plan plan = new Plan(Duration.ofDays(90));

  @Test
  void notification_ofOneRow_isTheSameEachTime() {
    for (var row : causes()) {
      assertThat(told(row)).isNotEmpty().isEqualTo(told(row));
    }
  }

  @Test
  void notification_ofDifferentRows_isNeverTheSame() {
    assertThat(causes().stream().flatMap(row -> told(row).stream()).map(Notification::key))
        .doesNotHaveDuplicates();
  }

  @Test
  void removal_retractsExactlyWhatTheInsertTold() {
    for (var row : causes()) {
      assertThat(retracted(row)).isEqualTo(told(row).stream().map(Notification::key).toList());
    }
  }

  @Test
  void likeAgain_isAnotherNotification_andEachRemovalRetractsItsOwn() {
    var first = SampleRowLists.like("bob");
    var second =
        new Like(first.postId(), "bob", first.postAuthorId(), first.createdAt().plusMillis(1));
    assertThat(told(first)).isNotEqualTo(told(second));
    assertThat(retracted(first)).containsExactly(told(first).getFirst().key());
    assertThat(retracted(second)).containsExactly(told(second).getFirst().key());
  }

  @Test
  void visibility_thatNobodyWhoFollowsNotices_leavesFeedsAlone() {
    for (var before : Visibility.values()) {
      for (var after : Visibility.values()) {
        var change = new Change.Modified(SampleRowLists.post(before), SampleRowLists.post(after));
        boolean ofFeeds =
            before != after && (before == Visibility.PRIVATE || after == Visibility.PRIVATE);
        assertThat(plan.of(change))
            .as("%s to %s", before, after)
            .satisfies(
                effects ->
                    assertThat(effects.stream().anyMatch(Effect.ChangeVisibility.class::isInstance))
                        .isEqualTo(ofFeeds))
            .satisfies(
                effects ->
                    assertThat(effects.stream().anyMatch(Effect.WriteTags.class::isInstance))
                        .isEqualTo(before != after && !ofFeeds));
      }
    }
  }

  @Test
  void notification_holdsItsTimeInItsId() {
    for (var row : causes()) {
      for (var notification : told(row)) {
        assertThat(TimeOrderedId.timeOf(notification.notificationId()))
            .isEqualTo(notification.createdAt());
      }
    }
  }

  @Test
  void notification_expiresAfterTheTimeItIsKept() {
    var notification = told(SampleRowLists.like("bob")).getFirst();
    assertThat(notification.expiresAt())
        .isEqualTo(SampleRowLists.AT.plus(Duration.ofDays(90)).getEpochSecond());
  }

  private static List<Row> causes() {
    return List.of(
        SampleRowLists.like("bob"),
        SampleRowLists.like("cid"),
        SampleRowLists.comment("bob"),
        SampleRowLists.post(Visibility.PUBLIC),
        Follow.of("bob", "ann", SampleRowLists.AT),
        Follow.of("bob", "cid", SampleRowLists.AT));
  }

  private List<Notification> told(Row row) {
    return plan.of(new Change.Inserted(row)).stream()
        .flatMap(effect -> notification(effect).stream())
        .toList();
  }

  private static List<Notification> notification(Effect effect) {
    return switch (effect) {
      case Notify notify -> List.of(notify.notification());
      case NotifyMentioned tell -> tell.notifications();
      case PostInteraction engage -> engage.notification().stream().toList();
      default -> List.of();
    };
  }

  private List<Key> retracted(Row row) {
    return plan.of(new Change.Removed(row)).stream()
        .filter(Retract.class::isInstance)
        .map(effect -> ((Retract) effect).notification())
        .toList();
  }
}
