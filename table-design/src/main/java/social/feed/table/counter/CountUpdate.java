package social.feed.table.counter;

import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.present;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The one update that applies a shard's changes to an item, on condition of what was read. */
final class CountUpdate {
  private final Update update = new Update();
  private Condition condition = present();

  CountUpdate(
      Key item,
      String shardId,
      List<CountChange> changes,
      CountedState read,
      Optional<CelebrityRule> rule) {
    var sums = sums(changes);
    sums.forEach(update::add);
    if (sums.containsKey(User.FOLLOWERS_COUNT)) {
      long delta = sums.get(User.FOLLOWERS_COUNT);
      condition = condition.and(equal(User.FOLLOWERS_COUNT, read.followers()));
      rule.ifPresent(known -> setCelebrityFlag(read, delta, known));
      setRank(update, item, read.followers() + delta);
    }
    if (sums.containsKey(Post.LIKES_COUNT)) {
      spreadLikes(read, sums.get(Post.LIKES_COUNT));
    }
    condition = condition.and(read.checkpoints().move(update, shardId, changes.getLast()));
  }

  Update update() {
    return update;
  }

  Condition condition() {
    return condition;
  }

  /** The update that crosses the threshold sets the flag, so each crossing is seen once. */
  private void setCelebrityFlag(CountedState read, long delta, CelebrityRule rule) {
    boolean after = rule.applies(read.isCelebrity(), read.followers() + delta);
    if (after != read.isCelebrity()) {
      update.set(User.IS_CELEBRITY, AttributeValue.fromBool(after)).add(User.CELEBRITY_VERSION, 1);
    }
  }

  /** Where an old state was read, the next count spreads the likes. */
  private void spreadLikes(CountedState read, long delta) {
    if (!read.spreadsLikes() && read.likes() + delta >= Post.LIKES_SPREAD_FROM) {
      update.setIfAbsent(Post.LIKE_BUCKETS, Post.LIKE_BUCKETS_OF_A_POST);
    }
  }

  /**
   * The update of a follower count also sets the rank among all accounts, which derives from it.
   */
  static void setRank(Update update, Key account, long followers) {
    var index = Index.POSTS_BY_AUTHOR;
    var rank = User.standing(Keys.userOf(account.partition()), followers).get(index);
    if (rank == null) {
      update.remove(index.partitionKey()).remove(index.sortKey());
    } else {
      update.set(index.partitionKey(), rank.partition()).set(index.sortKey(), rank.sort());
    }
  }

  /** Returns what changes add to each counter. */
  static Map<String, Long> sums(List<CountChange> changes) {
    var sums = new LinkedHashMap<String, Long>();
    changes.forEach(change -> sums.merge(change.attribute(), change.delta(), Long::sum));
    return sums;
  }
}
