package social.feed.table.erasure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Conditions;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.store.TransactionCancellations;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Key;
import social.feed.table.row.User;
import social.feed.table.user.Users;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Erasures of accounts, as they are asked for and noted. */
public final class Erasures {
  private static final RecordSchema<Erasure> SCHEMA = RecordSchema.of(Erasure.class);

  private final Table table;
  private final Users users;

  public Erasures(Table table, Users users) {
    this.table = table;
    this.users = users;
  }

  /** The erasure of an account, under way or done, strongly consistent. One read unit. */
  public Optional<Erasure> of(String userId) {
    return at(Erasure.key(userId));
  }

  /** The same by the hash of the id. */
  public Optional<Erasure> hashed(String hash) {
    return at(Erasure.hashed(hash));
  }

  private Optional<Erasure> at(Key key) {
    return table.get(key).map(SCHEMA::mapToItem);
  }

  /**
   * Deletes an account with its handle and orders the rest, in one transaction: from then on nobody
   * sees it, nothing can be done in its name, and the id cannot register. Two read units and six
   * write units, one more where it has followers; a repeat costs two read units.
   *
   * @throws ThrottledException when others keep changing the same account
   */
  public ErasureRequestOutcome begin(String userId, Instant now) {
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var user = users.get(userId);
      if (user.isEmpty()) {
        return of(userId).isPresent()
            ? ErasureRequestOutcome.BEGUN_BEFORE
            : ErasureRequestOutcome.NOT_REGISTERED;
      }
      if (commit(writes(user.get(), now))) {
        return ErasureRequestOutcome.BEGUN;
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("Erasure of " + userId, 1, table.backoff().attempts());
  }

  private List<TransactWriteItem> writes(User user, Instant now) {
    var writes = new ArrayList<TransactWriteItem>();
    writes.add(
        put(
            Put.builder()
                .item(RowCodec.encode(Erasure.of(user.userId(), now)))
                .conditionExpression(Conditions.ABSENT)));
    writes.add(delete(user.key(), User.HANDLE, user.handle()));
    // A handle that somebody else has after all stays theirs.
    users
        .idOfHandle(user.handle())
        .filter(user.userId()::equals)
        .map(id -> delete(HandleClaim.key(user.handle()), HandleClaim.USER_ID, id))
        .ifPresent(writes::add);
    return writes;
  }

  private boolean commit(List<TransactWriteItem> writes) {
    try {
      table.client().transactWriteItems(t -> t.transactItems(writes));
      return true;
    } catch (TransactionCanceledException e) {
      TransactionCancellations.requirePassing(e);
      return false;
    }
  }

  /**
   * Notes how far an erasure is, unless somebody else did since it was read; one that rests gets
   * its alarm first. One write unit, two with an alarm.
   */
  public void advance(Erasure read, Erasure next, Instant now) {
    if (next.step() == ErasureStep.RESTING) {
      long rings = now.plus(Erasure.REST).getEpochSecond();
      table.putAll(List.of(new ErasureTimer(next.hash(), next.passes(), rings)));
    }
    try {
      table
          .client()
          .putItem(
              p ->
                  p.tableName(table.name())
                      .item(RowCodec.encode(next))
                      .conditionExpression("#revision = :read")
                      .expressionAttributeNames(Map.of("#revision", Erasure.REVISION))
                      .expressionAttributeValues(
                          Map.of(":read", AttributeValue.fromN(Long.toString(read.revision())))));
    } catch (ConditionalCheckFailedException e) {
      // A replay met the one that had done it.
      return;
    }
  }

  /** Has the table walked once more when an alarm rings. One read unit and one write unit. */
  public void wake(ErasureTimer alarm, Instant now) {
    hashed(alarm.hash())
        .filter(e -> e.step() == ErasureStep.RESTING && e.passes() == alarm.pass())
        .ifPresent(e -> advance(e, e.awoken(), now));
  }

  private TransactWriteItem put(Put.Builder put) {
    return TransactWriteItem.builder().put(put.tableName(table.name()).build()).build();
  }

  private TransactWriteItem delete(Key key, String attribute, String value) {
    return TransactWriteItem.builder()
        .delete(
            Delete.builder()
                .tableName(table.name())
                .key(KeyAttributes.of(key))
                .conditionExpression("#same = :same")
                .expressionAttributeNames(Map.of("#same", attribute))
                .expressionAttributeValues(Map.of(":same", AttributeValue.fromS(value)))
                .build())
        .build();
  }
}
