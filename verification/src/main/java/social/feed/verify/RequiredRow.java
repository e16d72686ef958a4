package social.feed.verify;

import java.util.Optional;
import java.util.stream.Stream;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import social.feed.table.row.User;

/**
 * A row that another one requires.
 *
 * @param account the id of the account whose profile it is; empty for a row of another kind
 */
record RequiredRow(Key key, Optional<String> account) {
  /** Returns the rows that a row requires. */
  static Stream<RequiredRow> of(Row row) {
    return row.parents().stream().map(key -> new RequiredRow(key, accountAt(key, row)));
  }

  /** A row that requires a profile names its account. */
  private static Optional<String> accountAt(Key key, Row row) {
    return row.referencedAccounts().stream().filter(id -> User.key(id).equals(key)).findFirst();
  }

  /** Returns the key of the erasure of the account, if the profile is absent. */
  Stream<Key> erasureWhereAbsent(RelatedRows there) {
    return there.has(key) ? Stream.empty() : account.map(Erasure::key).stream();
  }

  /**
   * Returns whether the account is being erased. An erasure that cannot be read may still go on
   * once it is corrected.
   */
  boolean isBeingErased(RelatedRows there) {
    return account
        .map(Erasure::key)
        .filter(
            erasure ->
                there.isUnreadable(erasure)
                    || there
                        .get(erasure, Erasure.class)
                        .filter(found -> found.step() != ErasureStep.ERASED)
                        .isPresent())
        .isPresent();
  }
}
