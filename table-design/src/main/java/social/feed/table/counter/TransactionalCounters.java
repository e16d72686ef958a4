package social.feed.table.counter;

import java.time.Clock;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Conditions;
import social.feed.table.kernel.store.SetExpression;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.store.TransactionCancellations;
import social.feed.table.row.Key;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * Counter changes whose causes lie in many partitions: each is applied in one transaction with a
 * mark that says so, and a mark that is there already refuses it.
 */
public final class TransactionalCounters {
  private final Table table;
  private final PendingCounts claims;

  /**
   * @param clock says when claims of dead letters expire
   */
  public TransactionalCounters(Table table, Clock clock) {
    this.table = table;
    this.claims = new PendingCounts(table, clock);
  }

  /**
   * Adds to a counter of an item, once a mark. Four write units; an absent item stays absent.
   *
   * @return whether it was added now; not when the mark is there, or the item is not
   * @throws ThrottledException when others keep changing the same items
   * @throws IllegalStateException when no retry makes it valid, as when the item lacks the counter
   */
  public boolean addOnce(ProcessedEvent mark, Key item, String attribute, long delta) {
    var add = new SetExpression().add(attribute, delta).inTransaction();
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      // A refused condition is final: the mark is there, or the item is not.
      var reasons = claims.refused(put(mark), update(item, add));
      if (reasons.isEmpty()) {
        return true;
      }
      if (reasons.stream().anyMatch(TransactionCancellations::failedCondition)) {
        return false;
      }
      table.backoff().await(attempt);
    }
    throw throttled(mark);
  }

  /**
   * Leaves to a dead letter what could not be added: the mark is written without the effect, so
   * that the stream does not add it when it comes again, and a claim with it. One read unit and six
   * write units; nothing where the mark is there already, or the item is not. The item need not be
   * complete.
   *
   * @throws ThrottledException when others keep changing the same items
   */
  public void leaveOut(ProcessedEvent mark, Key item, String attribute) {
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var read = table.get(item);
      if (read.isEmpty()) {
        return;
      }
      var recounted = PendingCounts.recounted(read.get(), attribute);
      var note = when(new SetExpression().increment(User.POSTS_LEFT_OUT), recounted);
      var reasons =
          claims.refused(put(mark), update(item, note), claims.make(mark.name(), recounted));
      if (reasons.isEmpty() || TransactionCancellations.failedCondition(reasons.getFirst())) {
        return;
      }
      table.backoff().await(attempt);
    }
    throw throttled(mark);
  }

  /**
   * Adds what was left to a dead letter, once. One read unit and four write units.
   *
   * @return whether it was added now; not when it was before, when the counter has been counted
   *     anew since, or when it was never left out
   * @throws ThrottledException when others keep changing the same items
   * @throws IllegalStateException when the item lacks the counter
   */
  public boolean addLate(String mark, Key item, String attribute, long delta) {
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var read = table.get(item);
      if (read.isEmpty()) {
        return false;
      }
      if (!read.get().containsKey(attribute)) {
        throw new IllegalStateException(item + " lacks " + attribute);
      }
      var recounted = PendingCounts.recounted(read.get(), attribute);
      var add = when(new SetExpression().add(attribute, delta), recounted);
      var reasons = claims.refused(claims.take(mark, recounted), update(item, add));
      if (reasons.isEmpty()) {
        return true;
      }
      if (TransactionCancellations.failedCondition(reasons.getFirst())) {
        return false;
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("Effect " + mark, 1, table.backoff().attempts());
  }

  private ThrottledException throttled(ProcessedEvent mark) {
    return new ThrottledException("Effect " + mark.name(), 1, table.backoff().attempts());
  }

  private static Update.Builder when(SetExpression update, RecountVersion recounted) {
    var value = recounted.value();
    return (value == null
            ? update.whenAbsent(recounted.attribute())
            : update.when(recounted.attribute(), "=", value))
        .inTransaction();
  }

  private TransactWriteItem put(ProcessedEvent mark) {
    var put =
        Put.builder()
            .tableName(table.name())
            .item(RowCodec.encode(mark))
            .conditionExpression(Conditions.ABSENT)
            .build();
    return TransactWriteItem.builder().put(put).build();
  }

  private TransactWriteItem update(Key item, Update.Builder update) {
    var whole = update.tableName(table.name()).key(KeyAttributes.of(item)).build();
    return TransactWriteItem.builder().update(whole).build();
  }
}
