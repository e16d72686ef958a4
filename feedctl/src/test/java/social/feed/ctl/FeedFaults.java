package social.feed.ctl;

import static social.feed.ctl.Fault.AT;
import static social.feed.ctl.Fault.GHOST;
import static social.feed.ctl.Fault.now;
import static social.feed.ctl.Fault.text;

import java.util.List;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Faults of feeds: surplus, missing and wrong entries, and faults of the pull registry. */
final class FeedFaults {
  private static final String DELIVERY = "delivery";

  private FeedFaults() {}

  static List<Fault> all() {
    return List.of(
        new Fault(
            "pull registry that pulls an account that is no celebrity",
            "USER#2 / META is no celebrity, but the pull registry does not agree",
            w -> w.table().putAll(List.of(PulledAuthor.from("2", AT)))),
        new Fault(
            "pulled post that the pull registry does not cover",
            "is pulled, but the pull registry does not cover it",
            w -> w.set(w.postOf("2").key(), DELIVERY, AttributeValue.fromS("pull"))),
        new Fault(
            "entry at a wrong position in its feed",
            Index.FEED_BY_USER.sortKey() + " is elsewhere",
            w -> w.set(entry(w).key(), Index.FEED_BY_USER.sortKey(), text("elsewhere"))),
        new Fault(
            "lost feed entry",
            "is missing from the feed",
            w -> new HomeFeeds(w.table()).withdraw(List.of(entry(w)))),
        new Fault(
            "follow that was not backfilled",
            Follow.key("2", "1") + " was not backfilled with earlier posts",
            w -> w.plant(Follow.imported("2", "1", now()))),
        new Fault(
            "celebrity without followers",
            "USER#3 / META is a celebrity with 2 followers",
            w -> w.set(User.key("3"), User.IS_CELEBRITY, AttributeValue.fromBool(true))),
        new Fault(
            "lost entry in the author's own feed",
            "is missing from the feed",
            w -> w.steal(FeedEntry.of(w.postOf("2").ref(), "2").key())),
        new Fault(
            "entry of an author whom the reader does not follow",
            "refers to an author whom the reader does not follow",
            w -> w.plant(FeedEntry.of(w.postOf("1").ref(), "2"))),
        new Fault(
            "entry with another time than its post",
            "has other keys than its post requires",
            w -> {
              var e = entry(w);
              w.plant(new FeedEntry(e.postId(), e.shard(), e.readerId(), e.authorId(), AT));
            }),
        new Fault(
            "entry with another author than its post",
            "names another author than its post",
            w -> w.set(entry(w).key(), FeedEntry.AUTHOR_ID, text("2"))),
        new Fault(
            "entry of no post",
            "refers to a post that does not exist",
            w -> w.plant(new FeedEntry(GHOST, 0, "1", "3", AT))));
  }

  /** Returns an entry that must exist, because 1 follows 3. */
  static FeedEntry entry(VerifyWorld world) {
    return FeedEntry.of(world.postOf("3").ref(), "1");
  }
}
