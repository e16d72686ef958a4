package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.streams.change.Change;
import social.feed.streams.effect.ChangeVisibilityHandler.ChangeVisibility;
import social.feed.streams.effect.Count;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.EffectType;
import social.feed.streams.effect.NotifyHandler.Notify;
import social.feed.streams.effect.NotifyMentionedHandler.NotifyMentioned;
import social.feed.streams.effect.PostInteractionHandler.PostInteraction;
import social.feed.streams.effect.RetractHandler.Retract;
import social.feed.streams.effect.WriteTagsHandler.WriteTags;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Notification;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import social.feed.table.row.Visibility;

class PlanTest {
  private final Plan plan = new Plan(Duration.ofDays(90));

  @Test
  void notification_ofOneRow_isTheSameEachTime() {
    for (var row : causes()) {
      assertThat(notificationsOf(row)).isNotEmpty().isEqualTo(notificationsOf(row));
    }
  }

  @Test
  void notifications_ofDifferentRows_differ() {
    assertThat(
            causes().stream().flatMap(row -> notificationsOf(row).stream()).map(Notification::key))
        .doesNotHaveDuplicates();
  }

  @Test
  void removal_retractsExactlyTheNotificationsOfTheInsert() {
    for (var row : causes()) {
      assertThat(retracted(row))
          .isEqualTo(notificationsOf(row).stream().map(Notification::key).toList());
    }
  }

  @Test
  void likeAgain_isAnotherNotification_andEachRemovalRetractsItsOwn() {
    var first = SampleRowLists.like("bob");
    var second =
        new Like(first.postId(), "bob", first.postAuthorId(), first.createdAt().plusMillis(1));
    assertThat(notificationsOf(first)).isNotEqualTo(notificationsOf(second));
    assertThat(retracted(first)).containsExactly(notificationsOf(first).getFirst().key());
    assertThat(retracted(second)).containsExactly(notificationsOf(second).getFirst().key());
  }

  @Test
  void changeOfVisibility_writesFeeds_onlyToOrFromPrivate() {
    for (var before : Visibility.values()) {
      for (var after : Visibility.values()) {
        var change = new Change.Modified(SampleRowLists.post(before), SampleRowLists.post(after));
        boolean ofFeeds =
            before != after && (before == Visibility.PRIVATE || after == Visibility.PRIVATE);
        assertThat(plan.effects(change))
            .as("%s to %s", before, after)
            .satisfies(
                effects ->
                    assertThat(effects.stream().anyMatch(ChangeVisibility.class::isInstance))
                        .isEqualTo(ofFeeds))
            .satisfies(
                effects ->
                    assertThat(effects.stream().anyMatch(WriteTags.class::isInstance))
                        .isEqualTo(before != after && !ofFeeds));
      }
    }
  }

  @Test
  void notification_holdsItsTimeInItsId() {
    for (var row : causes()) {
      for (var notification : notificationsOf(row)) {
        assertThat(TimeOrderedId.timeOf(notification.notificationId()))
            .isEqualTo(notification.createdAt());
      }
    }
  }

  @Test
  void notification_expiresAfterTheTimeItIsKept() {
    var notification = notificationsOf(SampleRowLists.like("bob")).getFirst();
    assertThat(notification.expiresAt())
        .isEqualTo(SampleRowLists.AT.plus(Duration.ofDays(90)).getEpochSecond());
  }

  @Test
  void collapsingEffects_areThoseThatFollowFromAPresentState() {
    assertThat(Plan.effectTypes().stream().filter(type -> type.item().isPresent()))
        .extracting(EffectType::name)
        .containsExactlyInAnyOrder(
            "CopyFollowing",
            "ChangeVisibility",
            "WriteTags",
            "TellMentioned",
            "Announce",
            "Rebuild",
            "LookAgain",
            "TidyInbox");
  }

  @Test
  void effectsOfLikesCommentsAndFollows_keepTheOrderOfTheirRow_andNoOthers() {
    assertThat(Plan.effectTypes().stream().filter(type -> type.row().isPresent()))
        .extracting(EffectType::name)
        .containsExactlyInAnyOrder(
            "Engage", "Retract", "Backfill", "LeaveFeed", "Notify", "Publish");
    assertThat(Plan.effectTypes().stream().filter(EffectType::isCovered))
        .extracting(EffectType::name)
        .containsExactly("Engage");
    var like = SampleRowLists.like("bob");
    assertThat(
            Stream.of(new Change.Inserted(like), new Change.Removed(like))
                .flatMap(change -> plan.effects(change).stream()))
        .extracting(Plan::ownRow)
        .containsExactly(Optional.of(like.key()), Optional.of(like.key()));
    var edge = Follow.of("bob", "ann", SampleRowLists.AT);
    assertThat(
            Stream.of(new Change.Inserted(edge), new Change.Removed(edge))
                .flatMap(change -> plan.effects(change).stream()))
        .hasSize(4)
        .extracting(Plan::ownRow)
        .containsOnly(Optional.of(edge.key()));
  }

  @Test
  void likeOfAPostWithManyLikes_notifiesNoOne_andItsRemovalRetractsNothing() {
    var like = SampleRowLists.like("bob");
    var spread = new Like(like.postId(), like.userId(), like.postAuthorId(), like.createdAt(), 7);
    assertThat(notificationsOf(like)).hasSize(1);
    assertThat(notificationsOf(spread)).isEmpty();
    assertThat(plan.effects(new Change.Removed(spread))).isEmpty();
  }

  @Test
  void silentFollow_notifiesNoOne_andItsRemovalRetractsNothing() {
    var edge = Follow.imported("bob", "ann", SampleRowLists.AT);

    assertThat(notificationsOf(edge)).isEmpty();
    assertThat(retracted(edge)).isEmpty();
  }

  /** Stored dead letters carry these names, and their redrive finds the effects by them. */
  @Test
  void effectNames_areThoseThatDeadLettersCarry() {
    assertThat(Plan.effectTypes())
        .extracting(EffectType::name)
        .containsExactlyInAnyOrder(
            "Announce",
            "AnnouncePart",
            "AssessFollows",
            "Backfill",
            "ChangeVisibility",
            "CleanUpPost",
            "CompareOpening",
            "ContinueCleanUp",
            "CopyFollowing",
            "Count",
            "CountOnce",
            "DeliverChunk",
            "RemoveMedia",
            "RemoveMediaAgain",
            "Engage",
            "Erase",
            "FanOut",
            "Flip",
            "GrantErasures",
            "LeaveFeed",
            "LookAgain",
            "Notify",
            "Publish",
            "Rebuild",
            "Retract",
            "SweepErasures",
            "TellMentioned",
            "TidyInbox",
            "WakeErasure",
            "WriteTags");
  }

  /** The counts lane applies counts only, and handlers apply all other effects. */
  @Test
  void lanes_haveTheirOwnEffectsOnly() {
    for (var kind : RowKind.values()) {
      assertThat(Plan.rules(kind))
          .allSatisfy(
              rule ->
                  assertThat(rule.lane() == Lane.COUNTS)
                      .isEqualTo(rule.effect().effect() == Count.class));
    }
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

  private List<Notification> notificationsOf(Row row) {
    return plan.effects(new Change.Inserted(row)).stream()
        .flatMap(effect -> notification(effect).stream())
        .toList();
  }

  private static List<Notification> notification(Effect effect) {
    return switch (effect) {
      case Notify notify -> List.of(notify.notification());
      case NotifyMentioned mentioned -> mentioned.notifications();
      case PostInteraction interaction -> interaction.notification().stream().toList();
      default -> List.of();
    };
  }

  private List<Key> retracted(Row row) {
    return plan.effects(new Change.Removed(row)).stream()
        .filter(Retract.class::isInstance)
        .map(effect -> ((Retract) effect).notification())
        .toList();
  }
}
