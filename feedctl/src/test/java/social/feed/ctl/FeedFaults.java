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

/** Feeds that hold too much, too little or something else, and the registry of celebrities. */
final class FeedFaults {
  private static final String DELIVERY = "delivery";

  private FeedFaults() {}

  static List<Fault> all() {
    return List.of(
        new Fault(
            "registry that says celebrity of somebody who is none",
            "USER#2 / META is no celebrity, and the registry says otherwise",
            w -> w.table().putAll(List.of(PulledAuthor.from("2", AT)))),
        new Fault(
            "pulled post that the registry does not reach",
            "is pulled, and the registry does not reach it",
            w -> w.set(w.postOf("2").key(), DELIVERY, AttributeValue.fromS("pull"))),
        new Fault(
            "entry elsewhere in its feed",
            Index.FEED_BY_USER.sortKey() + " is elsewhere",
            w -> w.set(entry(w).key(), Index.FEED_BY_USER.sortKey(), text("elsewhere"))),
        new Fault(
            "lost feed entry",
            "is missing in the feed",
            w -> new HomeFeeds(w.table()).withdraw(List.of(entry(w)))),
        new Fault(
            "follow that was not filled up",
            Follow.key("2", "1") + " was not filled up with earlier posts",
            w -> w.plant(Follow.adopted("2", "1", now()))),
        new Fault(
            "celebrity without followers",
            "USER#3 / META is a celebrity with 2 followers",
            w -> w.set(User.key("3"), User.IS_CELEBRITY, AttributeValue.fromBool(true))),
        new Fault(
            "lost entry of the author's own",
            "is missing in the feed",
            w -> w.steal(FeedEntry.of(w.postOf("2").ref(), "2").key())),
        new Fault(
            "entry of an author who is not followed",
            "is of an author who is not followed",
            w -> w.plant(FeedEntry.of(w.postOf("1").ref(), "2"))),
        new Fault(
            "entry of another time",
            "has other keys than its post asks for",
            w -> {
              var e = entry(w);
              w.plant(new FeedEntry(e.postId(), e.shard(), e.readerId(), e.authorId(), AT));
            }),
        new Fault(
            "entry of another author",
            "names another author than its post",
            w -> w.set(entry(w).key(), FeedEntry.AUTHOR_ID, text("2"))),
        new Fault(
            "entry of no post",
            "is of a post that does not exist",
            w -> w.plant(new FeedEntry(GHOST, 0, "1", "3", AT))));
  }

  /** An entry that is owed: 1 follows 3. */
  static FeedEntry entry(VerifyWorld world) {
    return FeedEntry.of(world.postOf("3").ref(), "1");
  }
}
