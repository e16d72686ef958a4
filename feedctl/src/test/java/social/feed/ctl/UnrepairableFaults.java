package social.feed.ctl;

import static social.feed.ctl.Fault.AT;
import static social.feed.ctl.Fault.GHOST;
import static social.feed.ctl.Fault.text;
import static social.feed.ctl.FeedFaults.entry;
import static social.feed.ctl.NotificationFaults.notification;
import static social.feed.ctl.PostFaults.comment;
import static social.feed.ctl.PostFaults.tag;

import java.util.List;
import java.util.Map;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.row.Block;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.RowKind;
import social.feed.table.row.User;
import social.feed.table.row.WebhookDeliveries;
import social.feed.table.row.WebhookRegistry;

/** Faults that a person must decide about. */
final class UnrepairableFaults {
  private UnrepairableFaults() {}

  static List<Fault> all() {
    return List.of(
        new Fault(
            "row of an unknown kind",
            "Unknown entity type",
            w -> w.set(entry(w).key(), RowKind.ATTRIBUTE, text("ALIEN"))),
        new Fault(
            "row of no kind",
            "Unknown entity type",
            w -> w.put(KeyAttributes.of(new Key("no", "kind")))),
        new Fault(
            "row that lacks an attribute",
            "User lacks display_name",
            w -> w.remove(User.key("2"), User.DISPLAY_NAME)),
        new Fault(
            "post that lacks an attribute of an index",
            "Post lacks feed_shards",
            w -> w.remove(w.postOf("3").key(), "feed_shards")),
        new Fault(
            "row with an attribute of another type",
            "unreadable followers_count",
            w -> w.set(User.key("2"), User.FOLLOWERS_COUNT, text("many"))),
        new Fault(
            "webhook with an attribute of another type, which stays in the registry",
            "Webhook has an unreadable created_at",
            w -> {
              var bad = AccountFaults.webhook("bad");
              w.plant(new WebhookRegistry(Map.of(), 0, 1).with(bad));
              w.plant(bad);
              w.plant(WebhookDeliveries.none("bad"));
              w.set(bad.key(), "created_at", text("unreadable"));
            }),
        new Fault(
            "row with a separator in a key part",
            "A key part has",
            w -> w.set(tag(w.postOf("1")).key(), "tag", text("a#b"))),
        new Fault(
            "row at the key of another",
            "says that it belongs at " + User.key("9"),
            w -> w.set(User.key("2"), "user_id", text("9"))),
        new Fault(
            "like of no account",
            "needs " + User.key(GHOST),
            w -> w.plant(new Like(w.postOf("2").postId(), GHOST, "2", AT))),
        new Fault(
            "comment of no account",
            "needs " + User.key(GHOST),
            w -> w.plant(comment(w.postOf("2").postId(), GHOST))),
        new Fault(
            "notification of no account",
            "needs " + User.key(GHOST),
            w -> {
              var n = notification(w);
              w.plant(
                  new Notification(
                      GHOST,
                      n.notificationId(),
                      n.type(),
                      n.actorId(),
                      n.postId(),
                      n.createdAt(),
                      false,
                      n.expiresAt()));
            }),
        new Fault(
            "retained posts of no account",
            "needs " + User.key(GHOST),
            w -> w.plant(new RetainedPosts("1", GHOST, AT, AT))),
        new Fault(
            "block of no account",
            "needs " + User.key(GHOST),
            w -> {
              relate(w, "1");
              var block = new Block("1", GHOST, AT);
              w.plant(block);
              w.plant(block.mirrored());
            }),
        new Fault(
            "mute of no account",
            "needs " + User.key(GHOST),
            w -> {
              relate(w, "1");
              w.plant(Mute.of("1", GHOST, AT, null));
            }),
        new Fault(
            "two accounts of one handle",
            "has the handle user_1, which 1 claims",
            w -> w.plant(User.registered("4", "user_1", "Four", null, AT))));
  }

  /** As the first block or mute of an account does. */
  static void relate(VerifyWorld world, String userId) {
    world.remove(FollowQuota.key(userId), "unrelated_version");
  }
}
