package social.feed.benchmarks;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import social.feed.streams.EffectHandlers;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.DeliverChunkHandler.DeliverChunk;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.effect.FanOutHandler.FanOut;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.post.Posts;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.testkit.SamplePosts;

/** A table with one author and the author's followers, and the handlers of the multiplexer. */
final class DeliveryWorld {
  static final String AUTHOR = "author";

  /** How many posts of an author a new follower gets. */
  static final int NEWEST = Follow.NEWEST;

  private static final int SHARDS = 4;
  private static final Random RANDOM = new Random(42);

  final Table table;
  final EffectHandlers handlers;
  final int followers;
  private final Posts posts;

  DeliveryWorld(Table table, int followers) {
    this.table = table;
    this.followers = followers;
    this.handlers =
        new EffectHandlers(
            table,
            Clock.systemUTC(),
            EffectSettings.of(NEWEST, BatchSizes.STANDARD, ErasureSweeps.Settings.unpaced()));
    this.posts = new Posts(table);
    var since = now().minus(Duration.ofDays(1));
    var rows = new ArrayList<Row>();
    rows.add(User.registered(AUTHOR, AUTHOR, AUTHOR, null, since));
    for (int i = 0; i < followers; i++) {
      rows.add(Follow.of(follower(i), AUTHOR, since));
    }
    table.putAll(rows);
  }

  /**
   * Writes the accounts of the followers, and the counts of the author. So a verification finds no
   * drift once {@code posts} posts of the author are delivered to all followers.
   */
  void completeAccounts(int posts) {
    var since = now().minus(Duration.ofDays(1));
    var rows = new ArrayList<Row>();
    addAccount(rows, AUTHOR, since, followers, 0, posts);
    rows.add(
        TopAuthor.empty(Keys.month(since), AUTHOR)
            .plus(Map.of(TopAuthor.GAINED, (long) followers), Map.of()));
    for (int i = 0; i < followers; i++) {
      addAccount(rows, follower(i), since, 0, 1, 0);
    }
    table.putAll(rows);
  }

  private static void addAccount(
      List<Row> rows, String id, Instant since, long followers, long following, long posts) {
    rows.add(
        new User(
            id, id, id, null, since, followers, following, following, posts, false, 0, Map.of()));
    rows.add(new HandleClaim(id, id));
    rows.add(new FollowQuota(id, following, following));
    rows.add(FeedActivity.at(id, now()));
  }

  static String follower(int number) {
    return "follower%07d".formatted(number);
  }

  static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }

  static Post post(String authorId, Instant at) {
    return SamplePosts.by(authorId, at)
        .randomId(RANDOM)
        .text("A post of usual length, with a few words.")
        .feedShards(SHARDS)
        .build();
  }

  Post newPost() {
    var post = post(AUTHOR, now());
    posts.create(post);
    return post;
  }

  /** Applies the effects of a new post, and those of the chunks that it is cut into. */
  void deliver(Post post) {
    handlers.apply(List.of(new FanOut(post)));
    var chunks =
        new PartitionQueries(table)
            .items(Keys.fanout(post.postId()), Keys.CHUNKS)
            .flatMap(List::stream)
            .<Effect>map(item -> new DeliverChunk((FanOutChunk) RowCodec.decode(item)))
            .toList();
    if (!chunks.isEmpty()) {
      handlers.apply(chunks);
    }
  }
}
