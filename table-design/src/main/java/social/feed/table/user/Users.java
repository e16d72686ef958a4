package social.feed.table.user;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Conditions;
import social.feed.table.kernel.store.SetExpression;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.store.TransactionCancellations;
import social.feed.table.row.Erasure;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Accounts and their handles. */
public final class Users {
  private static final RecordSchema<User> SCHEMA = RecordSchema.of(User.class);

  /** Of the writes of a registration. */
  private static final int CLAIM = 1;

  private final Table table;
  private final HandleChange renaming;

  public Users(Table table) {
    this.table = table;
    this.renaming = new HandleChange(table, this);
  }

  /** An account, strongly consistent. One read unit. */
  @Serves(AccessPattern.FEED_001)
  public Optional<User> get(String userId) {
    return table.get(User.key(userId)).map(SCHEMA::mapToItem);
  }

  /** Accounts by id, unknown ids left out, eventually consistent. Half a read unit each. */
  public Map<String, User> getAll(Collection<String> userIds) {
    return table.getAll(userIds.stream().map(User::key).toList(), false).stream()
        .map(User.class::cast)
        .collect(Collectors.toMap(User::userId, user -> user));
  }

  /** Which of some accounts are there, strongly consistent. One read unit each. */
  public Set<String> there(Collection<String> userIds) {
    var found =
        table.itemsAt(userIds.stream().map(User::key).toList(), true).stream()
            .map(KeyAttributes::key)
            .collect(Collectors.toSet());
    return userIds.stream().filter(id -> found.contains(User.key(id))).collect(Collectors.toSet());
  }

  /** The account that has a handle, upper and lower case being the same. One read unit. */
  public Optional<String> idOfHandle(String handle) {
    return table
        .get(HandleClaim.key(handle))
        .map(RowCodec::decode)
        .map(HandleClaim.class::cast)
        .map(HandleClaim::userId);
  }

  /** The accounts that have some handles, unknown ones left out. Half a read unit each. */
  public Collection<HandleClaim> claims(Collection<String> handles) {
    return table.getAll(handles.stream().map(HandleClaim::key).toList(), false).stream()
        .map(HandleClaim.class::cast)
        .toList();
  }

  /**
   * Creates an account with its handle in one transaction, unless its id was erased of late; a
   * repeat finds the account. Six write units.
   *
   * @throws ThrottledException when other transactions keep meeting this one
   */
  public Registration register(User user) {
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var outcome = tryToRegister(user);
      if (outcome.isPresent()) {
        return outcome.get();
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("Registration of " + user.userId(), 2, table.backoff().attempts());
  }

  /** Empty after a conflict with another transaction, which says nothing about who is first. */
  private Optional<Registration> tryToRegister(User user) {
    var claim = new HandleClaim(user.handle(), user.userId());
    try {
      table
          .client()
          .transactWriteItems(
              t ->
                  t.transactItems(
                      putIfAbsent(RowCodec.encode(user)),
                      putIfAbsent(RowCodec.encode(claim)),
                      notErased(user.userId())));
      return Optional.of(new Registration.Registered(user));
    } catch (TransactionCanceledException e) {
      return refusal(user, TransactionCancellations.requirePassing(e));
    }
  }

  /**
   * Changes a profile; what others see of it changes at once, since no row copies it. One write
   * unit; with another handle two read and six write units.
   *
   * @throws ThrottledException when others keep changing the account while it gets a handle
   */
  public ProfileOutcome change(String userId, ProfileChange change) {
    return change.handle() == null
        ? changeWithoutHandle(userId, change)
        : renaming.change(userId, change);
  }

  ProfileOutcome changeWithoutHandle(String userId, ProfileChange change) {
    if (change.isOfHandleOnly()) {
      return get(userId)
          .<ProfileOutcome>map(ProfileOutcome.Changed::new)
          .orElseGet(ProfileOutcome.NotRegistered::new);
    }
    try {
      var response =
          table
              .client()
              .updateItem(
                  change
                      .update()
                      .request()
                      .tableName(table.name())
                      .key(KeyAttributes.of(User.key(userId)))
                      .returnValues(ReturnValue.ALL_NEW)
                      .build());
      return new ProfileOutcome.Changed(SCHEMA.mapToItem(response.attributes()));
    } catch (ConditionalCheckFailedException e) {
      return new ProfileOutcome.NotRegistered();
    }
  }

  /**
   * Copies how many accounts a user follows from the quota, unless a later state was copied before.
   * One write unit.
   */
  public void copyFollowing(String userId, long following, long version) {
    var update =
        new SetExpression()
            .set(User.FOLLOWING_COUNT, number(following))
            .set(User.FOLLOWING_VERSION, number(version))
            .when(User.FOLLOWING_VERSION, "<", number(version));
    try {
      table
          .client()
          .updateItem(
              update
                  .request()
                  .tableName(table.name())
                  .key(KeyAttributes.of(User.key(userId)))
                  .build());
    } catch (ConditionalCheckFailedException e) {
      // Gone, or already there: both are what the copy is for.
      return;
    }
  }

  private static Optional<Registration> refusal(User wanted, List<CancellationReason> reasons) {
    CancellationReason account = reasons.getFirst();
    if (account.hasItem()) {
      return Optional.of(new Registration.AlreadyRegistered(SCHEMA.mapToItem(account.item())));
    }
    if (reasons.getLast().hasItem()) {
      return Optional.of(new Registration.Erased());
    }
    return reasons.get(CLAIM).hasItem()
        ? Optional.of(new Registration.HandleTaken(wanted.handle()))
        : Optional.empty();
  }

  private TransactWriteItem notErased(String userId) {
    return TransactWriteItem.builder()
        .conditionCheck(
            ConditionCheck.builder()
                .tableName(table.name())
                .key(KeyAttributes.of(Erasure.key(userId)))
                .conditionExpression(Conditions.ABSENT)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build())
        .build();
  }

  private TransactWriteItem putIfAbsent(Map<String, AttributeValue> item) {
    return TransactWriteItem.builder()
        .put(
            Put.builder()
                .tableName(table.name())
                .item(item)
                .conditionExpression(Conditions.ABSENT)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build())
        .build();
  }

  private static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }
}
