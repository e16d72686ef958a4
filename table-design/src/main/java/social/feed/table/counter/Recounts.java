package social.feed.table.counter;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.row.Counted;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.schema.KeyAttributes;
import social.feed.table.schema.RowCodec;
import social.feed.table.store.SetExpression;
import social.feed.table.store.Table;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * Counters set to what was counted anew. Whatever was left to a dead letter before is in the count,
 * so its claim is void from the same update on; what is left to one later is not, and keeps its
 * claim. Who counts sees to it that the stream has been drained since: then all that the count saw
 * has moved the marks, or will refuse the update.
 */
public final class Recounts {
  private final Table table;

  public Recounts(Table table) {
    this.table = table;
  }

  /**
   * Sets a counter that marks cover, while it and they are what was read before the count. One
   * write unit a KB.
   *
   * @return whether it was set; not when the item changed meanwhile
   */
  public boolean set(Row read, String counter, long counted) {
    return set(read, counter, counted, Map.of(), Optional.empty());
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
}
