package social.feed.table.user;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Conditions;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.store.TransactionCancellations;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Gives an account another handle: the profile, the new claim and the end of the old one in one
 * transaction, so that never two accounts have a handle, or one has two. The old one is free at
 * once. Claims lie where each handle has its own partition, so nothing is hot.
 */
final class HandleChange {
  private static final int CLAIM = 1;
  private static final String OWN = "#owner = :owner";

  private final Table table;
  private final Users users;

  HandleChange(Table table, Users users) {
    this.table = table;
    this.users = users;
  }

  /**
   * Changes the handle, and the rest of the profile with it. Two read units and two write units an
   * item: three items, two where only the case of letters changes.
   *
   * @param change with a handle
   * @throws ThrottledException when others keep changing the account
   */
  ProfileOutcome change(String userId, ProfileChange change) {
    var handle = requireNonNull(change.handle());
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var user = users.get(userId);
      if (user.isEmpty()) {
        return new ProfileOutcome.NotRegistered();
      }
      if (user.get().handle().equals(handle)) {
        return users.changeWithoutHandle(userId, change);
      }
      var refusal = commit(user.get(), new HandleClaim(handle, userId), change);
      if (refusal.isPresent()) {
        return refusal.get();
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("Handle of " + userId, 3, table.backoff().attempts());
  }

  /** Empty when somebody was faster with one of the items: what is there then decides. */
  private Optional<ProfileOutcome> commit(User user, HandleClaim claim, ProfileChange change) {
    var old = new HandleClaim(user.handle(), user.userId());
    var writes = new ArrayList<>(List.of(profile(user, claim, change), claim(claim)));
    if (!old.key().equals(claim.key())) {
      writes.add(release(old));
    }
    try {
      table.client().transactWriteItems(t -> t.transactItems(writes));
      return Optional.of(changed(user.userId()));
    } catch (TransactionCanceledException e) {
      return TransactionCancellations.requirePassing(e).get(CLAIM).hasItem()
          ? Optional.of(new ProfileOutcome.HandleTaken(claim.handle()))
          : Optional.empty();
    }
  }

  private ProfileOutcome changed(String userId) {
    return users
        .get(userId)
        .<ProfileOutcome>map(ProfileOutcome.Changed::new)
        .orElseGet(ProfileOutcome.NotRegistered::new);
  }

  private TransactWriteItem profile(User user, HandleClaim claim, ProfileChange change) {
    var update =
        change
            .update()
            .set(User.HANDLE, AttributeValue.fromS(claim.handle()))
            .when(User.HANDLE, "=", AttributeValue.fromS(user.handle()));
    return TransactWriteItem.builder()
        .update(
            update
                .inTransaction()
                .tableName(table.name())
                .key(KeyAttributes.of(user.key()))
                .build())
        .build();
  }

  /** Also over one's own, which is written in other letters then. */
  private TransactWriteItem claim(HandleClaim claim) {
    return TransactWriteItem.builder()
        .put(
            Put.builder()
                .tableName(table.name())
                .item(RowCodec.encode(claim))
                .conditionExpression(Conditions.ABSENT + " OR " + OWN)
                .expressionAttributeNames(Map.of("#owner", HandleClaim.USER_ID))
                .expressionAttributeValues(owner(claim))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build())
        .build();
  }

  private TransactWriteItem release(HandleClaim claim) {
    return TransactWriteItem.builder()
        .delete(
            Delete.builder()
                .tableName(table.name())
                .key(KeyAttributes.of(claim.key()))
                .conditionExpression(OWN)
                .expressionAttributeNames(Map.of("#owner", HandleClaim.USER_ID))
                .expressionAttributeValues(owner(claim))
                .build())
        .build();
  }

  private static Map<String, AttributeValue> owner(HandleClaim claim) {
    return Map.of(":owner", AttributeValue.fromS(claim.userId()));
  }
}
