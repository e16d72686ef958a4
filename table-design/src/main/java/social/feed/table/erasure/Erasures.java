package social.feed.table.erasure;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.equal;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.store.Transaction;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Key;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/** Starts erasures of accounts, and stores their progress. */
public final class Erasures {
  private static final RecordSchema<Erasure> SCHEMA = RecordSchema.of(Erasure.class);

  private final Table table;
  private final Users users;
  private final TableScanner scanner;

  public Erasures(Table table, Users users) {
    this.table = table;
    this.users = users;
    this.scanner = new TableScanner(table);
  }

  /** Returns the erasure of an account, running or done, strongly consistent. One read unit. */
  public Optional<Erasure> of(String userId) {
    return at(Erasure.key(userId));
  }

  /** As {@link #of}, by the hash of the id. */
  public Optional<Erasure> hashed(String hash) {
    return at(Erasure.hashed(hash));
  }

  /**
   * Returns an erasure as it is stored, for what serves many erasures and must not stop at one that
   * cannot be decoded. Strongly consistent. One read unit.
   */
  Optional<TableScanner.Item> stored(String hash) {
    return scanner.at(List.of(Erasure.hashed(hash))).stream().findFirst();
  }

  private Optional<Erasure> at(Key key) {
    return table.get(key).map(SCHEMA::mapToItem);
  }

  /**
   * Deletes an account with its handle and starts the erasure of its rows, in one transaction. From
   * then on no reader sees the account, no request can act for it, and the id cannot register. Two
   * read units and six write units, one more where it has followers; a repeat costs two read units.
   *
   * @throws ThrottledException when concurrent writes keep changing the same account
   */
  public ErasureRequestOutcome begin(String userId, Instant now) {
    return table
        .retry()
        .until(
            "Erasure of " + User.key(userId),
            () -> {
              var user = users.get(userId);
              if (user.isEmpty()) {
                return Optional.of(
                    of(userId).isPresent()
                        ? ErasureRequestOutcome.BEGUN_BEFORE
                        : ErasureRequestOutcome.NOT_REGISTERED);
              }
              return writes(user.get(), now).commit().isDone()
                  ? Optional.of(ErasureRequestOutcome.BEGUN)
                  : Optional.empty();
            });
  }

  private Transaction writes(User user, Instant now) {
    var transaction =
        table
            .transaction()
            .put(Erasure.of(user, now), absent())
            .delete(user.key(), equal(User.HANDLE, user.handle()));
    // A handle that belongs to another account after all stays there.
    users
        .idOfHandle(user.handle())
        .filter(user.userId()::equals)
        .ifPresent(
            id ->
                transaction.delete(HandleClaim.key(user.handle()), equal(HandleClaim.USER_ID, id)));
    return transaction;
  }

  /**
   * Notes the progress of an erasure, unless another process did since it was read: then a replay
   * met the process that had done the step. The stream delivers it as the order of the next part.
   * One write unit.
   *
   * @return whether it was noted
   */
  public boolean advance(Erasure read, Erasure next, Instant now) {
    return table.put(next.at(now), equal(Erasure.REVISION, read.revision())).isDone();
  }

  /**
   * Orders the next part of an erasure that is under way again, in case its order was lost, unless
   * another process has advanced it. The units that were granted stay. Where the order was late and
   * not lost, it does nothing when it arrives; a part that runs meanwhile is repeated. One write
   * unit.
   *
   * @return whether the part was ordered
   */
  public boolean orderAgain(Erasure read, Instant now) {
    return read.step().isUnderWay() && advance(read, read.again(), now);
  }

  /**
   * Notes that the current sweep has found a row that names the account of an erasure. One read
   * unit, and one write unit for the first find.
   *
   * @return false when the erasure cannot be decoded, so that nothing can be noted
   * @throws ThrottledException when concurrent writes keep changing the erasure
   */
  boolean noteFound(String hash) {
    return table
        .retry()
        .until(
            "Find of the erasure " + hash,
            () ->
                stored(hash)
                    .map(
                        item ->
                            switch (item) {
                              case TableScanner.Stored(_, Erasure read) -> noteFound(read);
                              case TableScanner.Stored _ -> Optional.of(true);
                              case TableScanner.Unreadable _ -> Optional.of(false);
                            })
                    .orElse(Optional.of(true)));
  }

  /** Returns whether it is noted; empty when another process has changed the erasure. */
  private Optional<Boolean> noteFound(Erasure read) {
    boolean isNoted = read.step() != ErasureStep.RESTING || read.traced();
    return isNoted
            || table
                .put(read.withReferenceFound(), equal(Erasure.REVISION, read.revision()))
                .isDone()
        ? Optional.of(true)
        : Optional.empty();
  }
}
