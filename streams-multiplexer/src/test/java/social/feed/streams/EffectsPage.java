package social.feed.streams;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import social.feed.streams.change.Change;
import social.feed.streams.plan.Effect;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.row.Row;

/** What every kind of row causes, as a page for people, written from the plan itself. */
final class EffectsPage {
  private static final String HEAD =
      """
      # What every change of the table causes

      Written from the plan by a test; do not edit. A row that is not listed for an event causes nothing then. What expires
      causes nothing, but for the alarm of an erasure. The samples: post `p` is written by `ann` and mentions `bob` and herself; `bob` likes,
      comments and follows. A change of any row is listed where it causes something.

      | row | event | lane | effects, in their order |
      |---|---|---|---|
      """;

  private final Plan plan = new Plan(Duration.ofDays(90));
  private final StringBuilder page = new StringBuilder(HEAD);

  static String render() {
    var rendering = new EffectsPage();
    SampleRowLists.all().forEach(rendering::row);
    SampleRowLists.changed().forEach((name, change) -> rendering.line(name, "modify", change));
    return rendering.page.toString();
  }

  private void row(String name, Row row) {
    line(name, "insert", new Change.Inserted(row));
    line(name, "modify", new Change.Modified(row, row));
    line(name, "remove", new Change.Removed(row));
    line(name, "expire", new Change.Expired(row));
  }

  private void line(String name, String event, Change change) {
    var effects = plan.of(change);
    for (var lane : Lane.values()) {
      var ofLane = effects.stream().filter(effect -> effect.lane() == lane).toList();
      if (!ofLane.isEmpty()) {
        page.append("| %s | %s | %s | %s |\n".formatted(name, event, lane, text(ofLane)));
      }
    }
  }

  private static String text(List<Effect> effects) {
    var parts = new ArrayList<String>();
    effects.forEach(effect -> parts.add(effect.getClass().getSimpleName() + detail(effect)));
    return parts.stream().collect(Collectors.joining("; ")).replace(postId(), "p");
  }

  private static String detail(Effect effect) {
    return switch (effect) {
      case Effect.Count e -> " `%s` %+d at `%s`".formatted(e.attribute(), e.delta(), e.item());
      case Effect.CountOnce e ->
          " `%s` %+d at `%s`, once by `%s`".formatted(e.attribute(), e.delta(), e.item(), e.mark());
      case Effect.Flip e -> " of `%s` to %b".formatted(e.userId(), e.isCelebrity());
      case Effect.CopyFollowing e ->
          " %d of `%s`, version %d".formatted(e.following(), e.userId(), e.version());
      case Effect.Notify e -> told(e.notification());
      case Effect.NotifyMentioned e ->
          e.notifications().stream().map(EffectsPage::told).collect(Collectors.joining(","));
      case Effect.PostInteraction e -> engaged(e);
      case Effect.Retract _, Effect.WriteTags _, Effect.FanOut _, Effect.RemoveFromFeed _ -> "";
      case Effect.CleanUpPost _, Effect.Backfill _, Effect.DeliverChunk _ -> "";
      case Effect.NotifySpecialFollowers _,
          Effect.NotifySpecialFollowersChunk _,
          Effect.ChangeVisibility _ ->
          "";
      case Effect.Erase e -> ", revision %d".formatted(e.revision());
      case Effect.WakeErasure e -> " after pass %d".formatted(e.alarm().pass());
      case Effect.ReconcileFeed e -> " at the feed of `%s`".formatted(e.readerId());
      case Effect.Rebuild e -> " of `%s`".formatted(e.awoken().userId());
    };
  }

  private static String engaged(Effect.PostInteraction engage) {
    return engage.notification().map(EffectsPage::told).orElse(" telling nobody");
  }

  private static String told(social.feed.table.row.Notification notification) {
    return " `%s` to `%s`".formatted(notification.type(), notification.userId());
  }

  private static String postId() {
    return SampleRowLists.like("bob").postId();
  }
}
