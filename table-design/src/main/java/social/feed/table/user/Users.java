package social.feed.table.user;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.less;
import static social.feed.table.kernel.store.Condition.present;
import static social.feed.table.kernel.store.Condition.same;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Erasure;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Picture;
import social.feed.table.row.User;

/** Accounts and their handles. */
public final class Users {
  private static final RecordSchema<User> SCHEMA = RecordSchema.of(User.class);

  private final Table table;
  private final ProfileTransaction transaction;

  public Users(Table table) {
    this.table = table;
    this.transaction = new ProfileTransaction(table, this);
  }

  /** Returns an account, strongly consistent. One read unit. */
  @Serves(AccessPattern.FEED_001)
  public Optional<User> get(String userId) {
    return table.get(User.key(userId)).map(SCHEMA::mapToItem);
  }

  /** Returns accounts by id without unknown ids, eventually consistent. Half a read unit each. */
  public Map<String, User> getAll(Collection<String> userIds) {
    return all(userIds, false);
  }

  /**
   * Returns accounts by id without unknown ids, strongly consistent, so that an account erased just
   * now is absent. One read unit each.
   */
  public Map<String, User> current(Collection<String> userIds) {
    return all(userIds, true);
  }

  private Map<String, User> all(Collection<String> userIds, boolean strong) {
    return table.getAll(userIds.stream().map(User::key).toList(), strong).stream()
        .map(User.class::cast)
        .collect(Collectors.toMap(User::userId, user -> user));
  }

  /** Returns the ids among some that have an account, strongly consistent. One read unit each. */
  public Set<String> there(Collection<String> userIds) {
    var found =
        table.itemsAt(userIds.stream().map(User::key).toList(), true).stream()
            .map(KeyAttributes::key)
            .collect(Collectors.toSet());
    return userIds.stream().filter(id -> found.contains(User.key(id))).collect(Collectors.toSet());
  }

  /** Returns the account that has a handle, in any case, strongly consistent. One read unit. */
  public Optional<String> idOfHandle(String handle) {
    return table
        .get(HandleClaim.key(handle))
        .map(RowCodec::decode)
        .map(HandleClaim.class::cast)
        .map(HandleClaim::userId);
  }

  /**
   * Returns the claims of some handles without unknown ones, eventually consistent. Half a read
   * unit each.
   */
  public Collection<HandleClaim> claims(Collection<String> handles) {
    return table.getAll(handles.stream().map(HandleClaim::key).toList(), false).stream()
        .map(HandleClaim.class::cast)
        .toList();
  }

  /**
   * Creates an account with its handle in one transaction, unless its id was erased recently. A
   * repeat finds the account. Six write units.
   *
   * @throws ThrottledException when the transaction keeps meeting others
   */
  public Registration register(User user) {
    return table.retry().until("Registration of " + user.key(), () -> tryToRegister(user));
  }

  /** Empty after a conflict with another transaction, which does not say which one came first. */
  private Optional<Registration> tryToRegister(User user) {
    var claim = new HandleClaim(user.handle(), user.userId());
    var isNew = absent().returningItem();
    var outcome =
        table
            .transaction()
            .put(user, isNew)
            .put(claim, isNew)
            .check(Erasure.key(user.userId()), isNew)
            .commit();
    if (outcome.isDone()) {
      return Optional.of(new Registration.Registered(user));
    }
    var account = outcome.existing(user.key());
    if (account.isPresent()) {
      return account.map(SCHEMA::mapToItem).<Registration>map(Registration.AlreadyRegistered::new);
    }
    if (outcome.failedAt(Erasure.key(user.userId()))) {
      return Optional.of(new Registration.Erased());
    }
    return outcome.failedAt(claim.key())
        ? Optional.of(new Registration.HandleTaken(user.handle()))
        : Optional.empty();
  }

  /**
   * Changes a profile. Every reader sees the change at once, since no row copies the profile. One
   * write unit; with another handle two read units and six write units; with another picture up to
   * four read units and seven write units.
   *
   * @throws ThrottledException when concurrent writes keep changing the account while its handle or
   *     a picture changes
   */
  public ProfileOutcome change(String userId, ProfileChange change) {
    return change.isOfRowOnly() ? changeRow(userId, change) : transaction.change(userId, change);
  }

  ProfileOutcome changeRow(String userId, ProfileChange change) {
    var user =
        change.isEmpty()
            ? get(userId)
            : table
                .updateAndGet(User.key(userId), change.update(), present())
                .map(SCHEMA::mapToItem);
    return user.<ProfileOutcome>map(ProfileOutcome.Changed::new)
        .orElseGet(ProfileOutcome.NotRegistered::new);
  }

  /**
   * Removes a picture whose file is gone from a profile, if it still is the one that was read. One
   * write unit.
   *
   * @return whether it changed something
   */
  public boolean removePicture(User read, Picture picture) {
    var attribute = picture.attribute();
    return read.shown(picture).isPresent()
        && table
            .update(
                read.key(),
                new Update().remove(attribute),
                present().and(same(attribute, RowCodec.encode(read).get(attribute))))
            .isDone();
  }

  /**
   * Copies the number of followed accounts from the quota, unless a later version was copied before
   * or the account is gone. One write unit.
   *
   * @param version of the quota
   */
  public void copyFollowing(String userId, long following, long version) {
    table.update(
        User.key(userId),
        new Update().set(User.FOLLOWING_COUNT, following).set(User.FOLLOWING_VERSION, version),
        present().and(less(User.FOLLOWING_VERSION, version)));
  }
}
