package social.feed.ctl.verify;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import social.feed.table.row.User;

/**
 * Each account has the claim of its handle, and each claim names the account whose handle it is.
 * One read unit each, one more for a handle that somebody else claims. A claim without such an
 * account is deleted, an account without its claim gets it unless another account rightly has it.
 */
record HandleCheck(TableScanner census, ConditionalWrites corrections) implements RowCheck {
  @Override
  public String name() {
    return "handle claims";
  }

  @Override
  public boolean concerns(Row row) {
    return row instanceof User || row instanceof HandleClaim;
  }

  @Override
  public List<Drift> inspect(List<Row> rows) {
    var there = RelatedRows.at(rows.stream().map(HandleCheck::partner).toList(), census);
    return rows.stream().flatMap(row -> drift(row, there).stream()).toList();
  }

  private static Key partner(Row row) {
    return row instanceof User user
        ? HandleClaim.key(user.handle())
        : User.key(((HandleClaim) row).userId());
  }

  private Optional<Drift> drift(Row row, RelatedRows there) {
    if (there.isUnreadable(partner(row))) {
      return Optional.empty();
    }
    return row instanceof User user ? unclaimed(user, there) : orphan((HandleClaim) row, there);
  }

  private Optional<Drift> unclaimed(User user, RelatedRows there) {
    var right = new HandleClaim(user.handle(), user.userId());
    var is = there.get(right.key(), HandleClaim.class);
    if (is.isEmpty()) {
      var problem = user.key() + " has no claim of its handle " + user.handle();
      return Optional.of(new Drift(user.key(), problem, () -> corrections.insert(right)));
    }
    return is.filter(claim -> !claim.equals(right)).map(claim -> claimed(user, claim, right));
  }

  private Drift claimed(User user, HandleClaim is, HandleClaim right) {
    var problem =
        user.key() + " has the handle " + user.handle() + ", which " + is.userId() + " claims";
    boolean rightly = !is.userId().equals(user.userId()) && isRight(is);
    return new Drift(
        user.key(), problem, rightly ? Repair.NONE : () -> corrections.replace(is, right));
  }

  private Optional<Drift> orphan(HandleClaim claim, RelatedRows there) {
    var owner = there.get(User.key(claim.userId()), User.class);
    if (owner.filter(user -> owns(user, claim)).isPresent()) {
      return Optional.empty();
    }
    var problem = claim.key() + " names " + claim.userId() + ", whose handle it is not";
    return Optional.of(new Drift(claim.key(), problem, () -> corrections.remove(claim)));
  }

  private boolean isRight(HandleClaim claim) {
    var user = User.key(claim.userId());
    var there = RelatedRows.at(List.of(user), census);
    return there.isUnreadable(user)
        || Stream.of(there.get(user, User.class))
            .flatMap(Optional::stream)
            .anyMatch(owner -> owns(owner, claim));
  }

  private static boolean owns(User user, HandleClaim claim) {
    return HandleClaim.key(user.handle()).equals(claim.key());
  }
}
