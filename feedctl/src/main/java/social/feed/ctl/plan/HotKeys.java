package social.feed.ctl.plan;

import static social.feed.ctl.plan.PlannedLoad.DAY;
import static social.feed.ctl.plan.PlannedLoad.FEED_SHARDS;
import static social.feed.ctl.plan.PlannedLoad.PAGE_POSTS;
import static social.feed.ctl.plan.PlannedLoad.PARTITION_READS;
import static social.feed.ctl.plan.PlannedLoad.PARTITION_WRITES;

import java.util.List;
import social.feed.table.cost.UserAction;

/** The single keys that get the most units at peak. No key is spread over partitions. */
final class HotKeys {
  private static final double HOUR = 3_600;
  private static final double LIKE_BUCKETS = 16;

  /** The most reads a second of one post by a server, at any load (ADR 0035). */
  private static final double READS_OF_A_SERVER = 175;

  private final PlannedLoad load;

  HotKeys(PlannedLoad load) {
    this.load = load;
  }

  List<Limit> limits() {
    var in = load.in();
    double followers = load.popularity().greatest();
    double pagesASecond = followers * in.daily() / in.accounts() * in.a().pages() / DAY * in.peak();
    double likesOfAView =
        in.a().pages() == 0 ? 0 : Math.min(1, in.a().likes() / (in.a().pages() * PAGE_POSTS));
    double likes = pagesASecond * likesOfAView;
    double follows =
        load.aDay(UserAction.FOLLOW) / DAY * in.peak() * followers / (in.accounts() * in.follows());
    double tags = load.aDay(UserAction.POST) * in.tags() / DAY * in.peak() / 10;
    boolean isPulled = load.celebrities(in.threshold()) > 0;
    return List.of(
        new Limit(
            "reads of the most followed author's posts (one key of an index)",
            isPulled ? pagesASecond : 0,
            PARTITION_READS),
        new Limit("views of a viral post (one item)", viralReads(), PARTITION_READS),
        new Limit(
            "likes of the most followed author's new post (one key of an index)",
            likes,
            PARTITION_WRITES),
        new Limit(
            "the same after a thousand likes (16 keys)", likes / LIKE_BUCKETS, PARTITION_WRITES),
        new Limit("follows of that account (one key of an index)", follows, PARTITION_WRITES),
        new Limit(
            "a tag that a tenth of all posts have (one key of an index)", tags, PARTITION_WRITES));
  }

  /** Each view reads the post, unless its server already reads it as often as it ever does. */
  private double viralReads() {
    return Math.min(load.in().daily() / HOUR, load.servers() * READS_OF_A_SERVER);
  }

  Section section() {
    var in = load.in();
    double largest = Math.min(load.popularity().greatest(), in.threshold()) * in.active();
    var section = Section.of("hot keys at peak", "key", "units a second", "limit", "share");
    for (var key : limits()) {
      section.row(
          key.name(),
          key.needed(),
          key.standard(),
          "%.0f %%".formatted(100 * key.needed() / key.standard()));
    }
    return section
        .note(
            "The largest pushed post has %s readers and reaches the last one after %s s: %s keys take 500 entries a second each."
                .formatted(
                    Section.text(Math.rint(largest)),
                    Section.text(load.largestDeliverySeconds(in.threshold())),
                    Section.text(FEED_SHARDS)))
        .note(
            "Everyone who reads on that day opens the viral post within one hour. A server reads a post at most 175 times a second,"
                + " whatever its views.")
        .note(
            "Readers of a new post like it as often as any post on a page. A single key is never split for reads of its newest items.");
  }
}
