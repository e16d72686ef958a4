package social.feed.ctl;

import static social.feed.ctl.Fault.AT;
import static social.feed.ctl.Fault.GHOST;
import static social.feed.ctl.Fault.number;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.row.Erasure;
import social.feed.table.row.FollowOpening;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Media;
import social.feed.table.row.Mute;
import social.feed.table.row.PendingErasure;
import social.feed.table.row.Picture;
import social.feed.table.row.PostMedia;
import social.feed.table.row.Suspect;
import social.feed.table.row.Suspect.Evidence;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.row.User;
import social.feed.table.row.WaitingErasure;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookDeliveries;
import social.feed.table.row.WebhookRegistry;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Faults of accounts and their handles, and of rows that name erased accounts. */
final class AccountFaults {
  private AccountFaults() {}

  static List<Fault> all() {
    return List.of(
        new Fault(
            "row that names an erased account",
            "names gone, which was erased",
            w -> {
              w.plant(erased("gone"));
              w.plant(Mute.of("1", "gone", AT, null));
            }),
        new Fault(
            "sweep of erasures whose timer is gone",
            "waits for a sweep of the table, but its timer is lost",
            w -> w.plant(new PendingErasure(0, Erasure.hash(GHOST), GHOST, AT))),
        new Fault(
            "erasure that waits for units while their clock stands still",
            "waits for units, but the clock of the erasures stands still",
            w -> w.plant(new WaitingErasure(200, Erasure.hash(GHOST), 200, 0))),
        new Fault(
            "account that is missing from the index of all accounts",
            Index.POSTS_BY_AUTHOR.partitionKey() + " is absent",
            w ->
                w.remove(
                    User.key("3"),
                    Index.POSTS_BY_AUTHOR.partitionKey(),
                    Index.POSTS_BY_AUTHOR.sortKey())),
        new Fault(
            "suspicion of no account",
            Suspect.key(GHOST) + " needs " + User.key(GHOST),
            w -> w.plant(suspect(GHOST))),
        new Fault(
            "suspicion with a wrong score",
            Suspect.key("2") + " has the score 7, which its findings do not have",
            w -> w.plant(withScore(suspect("2"), 7))),
        new Fault(
            "opening of an erased account",
            "OPENING#f00d / USER#goner names goner, which was erased",
            w -> {
              w.plant(erased("goner"));
              long expiresAt = Fault.now().plus(Retention.OPENINGS).getEpochSecond();
              w.plant(new FollowOpening("f00d", "goner", 30, Fault.now(), expiresAt));
            }),
        new Fault(
            "picture of a profile whose file is gone",
            "USER#1 / META shows MEDIA#ghost / META as its avatar, which is no such file",
            w -> w.set(User.key("1"), User.AVATAR, picture(GHOST))),
        new Fault(
            "picture of a profile that is a file of another account",
            "as its banner, which is no such file",
            w -> {
              w.plant(file("ofthree", "3", null));
              w.set(User.key("1"), User.BANNER, picture("ofthree"));
            }),
        new Fault(
            "file that is a picture of no profile",
            "MEDIA#unshown / META is a picture that its owner does not show",
            w -> w.plant(file("unshown", "2", Picture.BANNER))),
        new Fault(
            "webhook that the registry does not list",
            "WEBHOOK#unlisted / META is missing in the registry",
            w -> {
              w.plant(new WebhookRegistry(Map.of(), 0, 1));
              w.plant(webhook("unlisted"));
            }),
        new Fault(
            "webhook that is gone, and listed",
            "lists WEBHOOK#ghost / META, which is absent",
            w -> w.plant(new WebhookRegistry(Map.of(GHOST, "x"), 1, 1))),
        new Fault(
            "number of webhooks that is wrong",
            "has the number 3, but lists 0 webhooks",
            w -> w.plant(new WebhookRegistry(Map.of(), 3, 1))),
        new Fault(
            "calls of a webhook that is gone",
            "WEBHOOK#ghost / DELIVERIES needs WEBHOOK#ghost / META, which is absent",
            w -> w.plant(WebhookDeliveries.none(GHOST))),
        new Fault(
            "webhook without the row of its calls",
            "WEBHOOK#silent / META has no row for its calls",
            w -> {
              var silent = webhook("silent");
              w.plant(new WebhookRegistry(Map.of(), 0, 1).with(silent));
              w.plant(silent);
            }),
        new Fault(
            "quota of files that is too high",
            "USER#1 / META: media_count is 3 and media_bytes is 40, but 1 files with 9 bytes",
            w -> {
              w.plant(file("one", "1", null));
              w.set(User.key("1"), User.MEDIA_COUNT, number(3));
              w.set(User.key("1"), User.MEDIA_BYTES, number(40));
            }),
        new Fault(
            "quota of files that is too low in bytes alone",
            "USER#2 / META: media_count is 1 and media_bytes is 8, but 1 files with 9 bytes",
            w -> {
              w.plant(file("two", "2", null));
              w.set(User.key("2"), User.MEDIA_COUNT, number(1));
              w.set(User.key("2"), User.MEDIA_BYTES, number(8));
            }),
        new Fault(
            "quota without files",
            "USER#2 / META: media_count is 1 and media_bytes is 9, but 0 files with 0 bytes",
            w -> {
              w.set(User.key("2"), User.MEDIA_COUNT, number(1));
              w.set(User.key("2"), User.MEDIA_BYTES, number(9));
            }),
        new Fault(
            "files of an account without a quota, more than are read at once",
            "USER#3 / META: media_count is 0 and media_bytes is 0, but 101 files with 909 bytes",
            w -> IntStream.range(0, 101).forEach(i -> w.plant(file("three" + i, "3", null)))),
        new Fault(
            "lost handle claim",
            "has no claim for its handle user_1",
            w -> w.steal(HandleClaim.key("user_1"))),
        new Fault(
            "handle claim of no account",
            "names ghost, which does not have this handle",
            w -> w.plant(new HandleClaim("unowned", GHOST))),
        new Fault(
            "second handle claim of an account",
            "names 1, which does not have this handle",
            w -> w.plant(new HandleClaim("another", "1"))),
        new Fault(
            "handle claim that names another account",
            "has the handle user_1, which 2 claims",
            w -> w.plant(new HandleClaim("user_1", "2"))));
  }

  private static Suspect suspect(String userId) {
    var finding = SuspicionFinding.of(SuspicionReason.FOLLOW_BURST, 400, 200);
    return Suspect.of(new Evidence(userId, 1, Fault.now(), List.of(finding)));
  }

  private static Suspect withScore(Suspect right, long score) {
    return new Suspect(
        right.userId(),
        score,
        right.findings(),
        right.since(),
        right.latest(),
        right.version(),
        right.revision(),
        right.dismissedAt(),
        right.dismissedVersion(),
        right.expiresAt());
  }

  static Webhook webhook(String id) {
    return Webhook.of(id, "https://example.test", List.of(), null, true, "whsec_x", AT);
  }

  private static Media file(String id, String owner, @Nullable Picture shownAs) {
    return new Media(
        id, owner, "image/png", 9, "f00d", null, Fault.now(), 3, 2, null, null, shownAs);
  }

  /** Returns what a profile keeps of a file. */
  private static AttributeValue picture(String mediaId) {
    return AttributeValue.fromM(
        RecordSchema.of(PostMedia.class)
            .itemToMap(new PostMedia(mediaId, "image/png", 9, 3, 2, null), true));
  }

  /** Returns a finished erasure. */
  private static Erasure erased(String userId) {
    return Erasure.of(userId, AT).swept(true, AT);
  }
}
