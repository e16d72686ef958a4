package social.feed.table.counter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.SetExpression;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TransactionCancellations;
import social.feed.table.row.Counted;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Ranked;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Counters set to what was counted anew. Whatever was left to a dead letter before is in the count,
 * so its claim is void from the same update on; what is left to one later is not, and keeps its
 * claim. Whoever counts sees to it that the stream has been drained since: then all that the count
 * saw has moved the marks, or will refuse the update.
 */
public final class CounterRecounts {
  private final Table table;

  public CounterRecounts(Table table) {
    this.table = table;
  }

  /**
   * Sets a counter that marks cover, while it and they are what was read before the count; that of
   * followers with the place among all accounts, which is made of it. One write unit a KB, and the
   * index.
   *
   * @return whether it was set; not when the item changed meanwhile
   */
  public boolean set(Row read, String counter, long counted) {
    return set(read, counter, counted, Map.of(), Optional.empty());
  }

  /**
   * Adds to a count by which something is ranked what is missing, while the rows that add up to it
   * are what was read before the count. Claims on that count are void in all of them, since the
   * missing part goes to the first whichever shard it came from; so all are written, also those
   * that were not there. Three read and write units or so for each row, and those of the index.
   *
   * @param read all rows that add up to the count, empty where there is none
   * @param count which of their counts
   * @param missing below zero for what is too much
   * @return whether it was set; not when a row changed meanwhile
   */
  public boolean setRanked(List<? extends Ranked> read, String count, long missing) {
    var rankings = new RankedCounters(table);
    var writes = new ArrayList<TransactWriteItem>();
    for (var row : read) {
      var right = row.recounted(count, writes.isEmpty() ? missing : 0);
      writes.add(TransactWriteItem.builder().put(rankings.put(row, right)).build());
    }
    try {
      table.client().transactWriteItems(t -> t.transactItems(writes));
      return true;
    } catch (TransactionCanceledException e) {
      TransactionCancellations.requirePassing(e);
      return false;
    }
  }

  /**
   * Sets the number of posts, while it is what was read before the count, and no post has been left
   * to a dead letter since {@code leftOut} was read. One write unit a KB.
   *
   * @param leftOut from {@link #leftOut}, before the last count
   */
  public boolean setPosts(User read, long counted, Optional<AttributeValue> leftOut) {
    var also = new LinkedHashMap<String, AttributeValue>();
    leftOut.ifPresent(value -> also.put(User.POSTS_LEFT_OUT, value));
    return set(
        read,
        User.POSTS_COUNT,
        counted,
        also,
        leftOut.isPresent() ? Optional.empty() : Optional.of(User.POSTS_LEFT_OUT));
  }

  /** How many posts of an account were left to dead letters, as it stands there. One read unit. */
  public Optional<AttributeValue> leftOut(Key account) {
    return table.get(account).map(item -> item.get(User.POSTS_LEFT_OUT));
  }

  private boolean set(
      Row read,
      String counter,
      long counted,
      Map<String, AttributeValue> also,
      Optional<String> absent) {
    var unchanged = new LinkedHashMap<>(RowCodec.encode(read));
    unchanged.keySet().retainAll(List.of(counter, Counted.MARKS));
    unchanged.putAll(also);
    var update =
        new SetExpression()
            .set(counter, AttributeValue.fromN(Long.toString(counted)))
            .increment(Counted.recounts(counter));
    if (counter.equals(User.FOLLOWERS_COUNT)) {
      stand(update, read, counted);
    }
    unchanged.forEach((name, value) -> update.when(name, "=", value));
    absent.ifPresent(update::whenAbsent);
    try {
      table
          .client()
          .updateItem(
              update.request().tableName(table.name()).key(KeyAttributes.of(read.key())).build());
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }

  private static void stand(SetExpression update, Row read, long followers) {
    var index = Index.POSTS_BY_AUTHOR;
    var place = User.standing(Keys.userOf(read.key().partition()), followers).get(index);
    if (place == null) {
      update.remove(index.partitionKey()).remove(index.sortKey());
    } else {
      update
          .set(index.partitionKey(), AttributeValue.fromS(place.partition()))
          .set(index.sortKey(), AttributeValue.fromS(place.sort()));
    }
  }
}
