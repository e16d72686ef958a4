package social.feed.table.counter;

import static social.feed.table.counter.RankedCounters.unchanged;
import static social.feed.table.kernel.store.Condition.present;
import static social.feed.table.kernel.store.Condition.same;

import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Counted;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Ranked;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Sets counters to the result of a recount. The count includes every change that was deferred to a
 * dead letter before, so the same update makes those pending changes void. Changes deferred later
 * stay pending. The caller must drain the stream after the count: then every change that the count
 * saw has moved the checkpoints, or will fail the condition of the update.
 */
public final class CounterRecounts {
  private final Table table;

  public CounterRecounts(Table table) {
    this.table = table;
  }

  /**
   * Sets a counter with checkpoints, while both are as they were read before the count. The
   * follower count also sets the rank among all accounts, which derives from it. One write unit a
   * KB, and the index.
   *
   * @return whether it was set; false when the item changed meanwhile
   */
  public boolean set(Row read, String counter, long counted) {
    return set(read, counter, counted, asRead(read, Counted.MARKS));
  }

  /**
   * Sets the number of unread notifications, as {@link #set}. Writers that mark notifications as
   * read, and the work on older ones, change the number without a checkpoint. So it is set only
   * where no such work is under way, nor was begun since the inbox was read.
   *
   * <p>Another repair raises the number, and a mark may then take it back to what this one read. So
   * the inbox is read again, and the notifications are counted again after that. Until the number
   * is set, its recounts and checkpoints must stay as they are. Without these the number only
   * falls, so an equal number at the end proves that nothing was marked in between. One read unit
   * and a count more.
   *
   * @param count counts the unread notifications, strongly consistent
   */
  public boolean setUnread(Inbox read, long counted, LongSupplier count) {
    if (!read.complete() || read.readUpTo() != null) {
      return false;
    }
    var stored = table.get(read.key());
    if (stored.filter(it -> RowCodec.decode(it).equals(read)).isEmpty()
        || count.getAsLong() != counted) {
      return false;
    }
    var item = stored.get();
    var unchanged =
        Stream.of(
                Inbox.STEP,
                Inbox.COMPLETE,
                Inbox.ADOPTED_TO,
                Inbox.READ_UP_TO,
                Counted.recounts(Inbox.UNREAD))
            .map(attribute -> same(attribute, item.get(attribute)))
            .reduce(asRead(read, Counted.MARKS), Condition::and);
    return set(read, Inbox.UNREAD, counted, unchanged);
  }

  /**
   * Adds the missing part to a count by which a row is ranked, while the row is as it was read
   * before the count. An absent row is written. One write unit a KB, and two for the index.
   *
   * @param read the row; an empty one where it is absent
   * @param count the name of the count
   * @param missing the difference; negative where the count is too high
   * @return whether it was set; false when the row changed meanwhile
   */
  public boolean setRanked(Ranked.Recountable read, String count, long missing) {
    return table.put(read.recounted(count, missing).row(), unchanged(read)).isDone();
  }

  /**
   * Sets the number of posts, while it is as it was read before the count, and no post was deferred
   * to a dead letter since {@code leftOut} was read. The checkpoints of the account are those of
   * its followers, so they may change. One write unit a KB.
   *
   * @param leftOut from {@link #leftOut}, before the last count
   */
  public boolean setPosts(User read, long counted, Optional<AttributeValue> leftOut) {
    return set(read, User.POSTS_COUNT, counted, same(User.POSTS_LEFT_OUT, leftOut.orElse(null)));
  }

  /**
   * Returns how many posts of an account were deferred to dead letters, as stored. One read unit.
   */
  public Optional<AttributeValue> leftOut(Key account) {
    return table.get(account).map(item -> item.get(User.POSTS_LEFT_OUT));
  }

  private boolean set(Row read, String counter, long counted, Condition condition) {
    var update = new Update().set(counter, counted).increment(Counted.recounts(counter));
    if (counter.equals(User.FOLLOWERS_COUNT)) {
      CountUpdate.setRank(update, read.key(), counted);
    }
    return table
        .update(read.key(), update, present().and(asRead(read, counter)).and(condition))
        .isDone();
  }

  /** Holds while an attribute is as it was read. A row may lack it. */
  private static Condition asRead(Row read, String attribute) {
    var value = RowCodec.encode(read).get(attribute);
    return value == null ? Condition.none() : same(attribute, value);
  }
}
