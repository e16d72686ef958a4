package social.feed.ctl.plan;

import static social.feed.ctl.plan.PlannedLoad.DAY;
import static social.feed.ctl.plan.PlannedLoad.PAGE_POSTS;
import static social.feed.ctl.plan.PlannedLoad.PARTITION_READS;
import static social.feed.ctl.plan.PlannedLoad.PARTITION_WRITES;

import java.util.List;
import java.util.stream.Stream;
import social.feed.table.cost.CostFormulas;
import social.feed.table.cost.UserAction;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;

/**
 * The single keys that get the most units at peak: those of one famous account or post, and those
 * that the whole platform shares. No key is spread over partitions. Writes are counted as if each
 * was alone in its batch.
 *
 * <p>Not among them are keys of one reader, and keys that a plan has no rate for: those of
 * webhooks, of erasures, which are paced, of suspicious accounts and of new accounts that follow in
 * the same order. Lists of rankings and tags are not planned either.
 */
final class HotKeys {
  private static final double HOUR = 3_600;

  /** The most reads a second of one post by a server, at any load (ADR 0035). */
  private static final double READS_OF_A_SERVER = 175;

  private final PlannedLoad load;

  HotKeys(PlannedLoad load) {
    this.load = load;
  }

  List<Limit> limits() {
    return Stream.concat(reads(), writes()).toList();
  }

  private Stream<Limit> reads() {
    boolean isPulled = load.celebrities(load.in().threshold()) > 0;
    return Stream.of(
        reads(
            "reads of the most followed author's posts (one key of an index)",
            isPulled
                ? Math.min(
                    pagesOfFollowers(), load.servers() * CostFormulas.pulledAuthors(1).read())
                : 0),
        reads("views of a viral post (one item)", viralReads()),
        reads("views of the profile of a viral post's author (one item)", viralProfiles()),
        reads(
            "reads of a hot account or post by the caches of all servers (one item)",
            load.servers() * CostFormulas.SHARED_READ),
        reads(
            "reads of the registry of pulled authors by all servers (one key)",
            load.registryReadsAtPeak()),
        reads(
            "reads of the edges of an author who has just become a celebrity (one key)",
            isPulled ? atPeak(load.warmPagesADay()) : 0));
  }

  private Stream<Limit> writes() {
    var in = load.in();
    double likes = pagesOfFollowers() * ofAShownPost(in.a().likes());
    double comments = pagesOfFollowers() * ofAShownPost(in.a().comments());
    double follows =
        atPeak(load.aDay(UserAction.FOLLOW))
            * load.popularity().greatest()
            / (in.accounts() * in.follows());
    double edges = atPeak(load.aDay(UserAction.FOLLOW) + load.aDay(UserAction.UNFOLLOW));
    double uses = atPeak(load.aDay(UserAction.POST) * in.tags());
    return Stream.of(
        writes("likes of the most followed author's new post (one key of an index)", likes),
        writes(
            "the same after a thousand likes (%d keys)".formatted(Post.LIKE_BUCKETS_OF_A_POST),
            likes / Post.LIKE_BUCKETS_OF_A_POST),
        writes(
            "likes and comments of the most followed author's new post (one key)",
            likes + comments),
        writes(
            "notifications of the most followed author in the first thousand likes of a post (one key)",
            likes + comments + follows),
        writes("follows of that account (one key of an index)", follows),
        writes(
            "places of accounts in a ranking (each of %d keys of an index)".formatted(Keys.BUCKETS),
            edges * CostFormulas.PLACE / Keys.BUCKETS),
        writes(
            "places of tags in their ranking (each of %d keys of an index)".formatted(Keys.BUCKETS),
            uses * CostFormulas.PLACE / Keys.BUCKETS),
        writes("a tag that a tenth of all posts have (one key, and one of an index)", uses / 10));
  }

  private static Limit reads(String name, double units) {
    return new Limit(name, units, PARTITION_READS);
  }

  private static Limit writes(String name, double units) {
    return new Limit(name, units, PARTITION_WRITES);
  }

  private double atPeak(double aDay) {
    return aDay / DAY * load.in().peak();
  }

  /** Returns the pages a second of those who follow the most followed author. */
  private double pagesOfFollowers() {
    var in = load.in();
    double daily = load.popularity().greatest() * in.daily() / in.accounts();
    return atPeak(daily * in.a().pages());
  }

  /** Returns how often a reader does something with one of the posts of a page. */
  private double ofAShownPost(double aDay) {
    var a = load.in().a();
    return a.pages() == 0 ? 0 : Math.min(1, aDay / (a.pages() * PAGE_POSTS));
  }

  private double viralViews() {
    return load.in().daily() / HOUR;
  }

  /** Each view reads the post, unless its server already reads it as often as it ever does. */
  private double viralReads() {
    return Math.min(viralViews(), load.servers() * READS_OF_A_SERVER);
  }

  /** Each view reads the account. Servers do not share these reads. */
  private double viralProfiles() {
    var a = load.in().a();
    return a.views() == 0 ? 0 : viralViews() * Math.min(1, a.profiles() / a.views());
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
            "The largest pushed post has %s readers and reaches the last one after %s s: %s keys take %s entries a second each. The index entry of each is at the key of its reader."
                .formatted(
                    Section.text(Math.rint(largest)),
                    Section.text(load.largestDeliverySeconds(in.threshold())),
                    Section.text(Post.FEED_SHARDS),
                    Section.text(PARTITION_WRITES)))
        .note(
            "Everyone who reads on that day opens the viral post within one hour, and its author's profile as often as after any other post."
                + " A server reads a post at most %s times a second, whatever its views."
                    .formatted(Section.text(READS_OF_A_SERVER)))
        .note(
            "All servers read the whole registry within a second or two of each flip: %s units at once."
                .formatted(Section.text(load.registryUnitsOfAFlip())))
        .note(
            "Readers of a new post like it as often as any post on a page. A single key is never split for reads of its newest items.");
  }
}
