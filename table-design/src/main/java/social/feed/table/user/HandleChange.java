package social.feed.table.user;

import static java.util.Objects.requireNonNull;
import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.present;

import java.util.Optional;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.User;

/**
 * Gives an account another handle. One transaction changes the profile, writes the new claim and
 * deletes the old one. So two accounts never have the same handle, and no account has two. The old
 * handle is free at once. Each claim has its own partition, so no partition is hot.
 */
final class HandleChange {
  private final Table table;
  private final Users users;

  HandleChange(Table table, Users users) {
    this.table = table;
    this.users = users;
  }

  /**
   * Changes the handle, and the rest of the profile with it. Two read units, and two write units
   * for each of three items; two items where only the case changes.
   *
   * @param change with a handle
   * @throws ThrottledException when concurrent writes keep changing the account
   */
  ProfileOutcome change(String userId, ProfileChange change) {
    var handle = requireNonNull(change.handle());
    return table
        .retry()
        .until(
            "Handle of " + User.key(userId),
            () -> {
              var user = users.get(userId);
              if (user.isEmpty()) {
                return Optional.of(new ProfileOutcome.NotRegistered());
              }
              if (user.get().handle().equals(handle)) {
                return Optional.of(users.changeWithoutHandle(userId, change));
              }
              return commit(user.get(), new HandleClaim(handle, userId), change);
            });
  }

  /** Empty when a concurrent write changed one of the items: the next attempt decides on them. */
  private Optional<ProfileOutcome> commit(User user, HandleClaim claim, ProfileChange change) {
    var old = new HandleClaim(user.handle(), user.userId());
    var transaction =
        table
            .transaction()
            .update(
                user.key(),
                change.update().set(User.HANDLE, claim.handle()),
                present().and(equal(User.HANDLE, user.handle())))
            // Replaces the account's own claim where only the case changes.
            .put(claim, absent().or(ownedBy(user)).returningItem());
    if (!old.key().equals(claim.key())) {
      transaction.delete(old.key(), ownedBy(user));
    }
    var outcome = transaction.commit();
    if (outcome.isDone()) {
      return Optional.of(changed(user.userId()));
    }
    return outcome
        .existing(claim.key())
        .<ProfileOutcome>map(_ -> new ProfileOutcome.HandleTaken(claim.handle()));
  }

  private ProfileOutcome changed(String userId) {
    return users
        .get(userId)
        .<ProfileOutcome>map(ProfileOutcome.Changed::new)
        .orElseGet(ProfileOutcome.NotRegistered::new);
  }

  private static Condition ownedBy(User user) {
    return equal(HandleClaim.USER_ID, user.userId());
  }
}
