package social.feed.table.suspicion;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.present;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.EngagementKey;
import social.feed.table.row.Keys;
import social.feed.table.row.Suspect;
import social.feed.table.row.Suspect.Evidence;
import social.feed.table.row.SuspectRef;
import social.feed.table.row.User;

/** The rows of accounts whose follows look abnormal. All other accounts have none. */
public final class Suspects {
  private static final RecordSchema<Suspect> SCHEMA = RecordSchema.of(Suspect.class);

  private final Table table;
  private final PagedQueries lists;

  public Suspects(Table table) {
    this.table = table;
    this.lists = new PagedQueries(table);
  }

  /** Returns the row of an account, strongly consistent. One read unit. */
  public Optional<Suspect> get(String userId) {
    return table.get(Suspect.key(userId)).map(SCHEMA::mapToItem);
  }

  /**
   * Notes evidence. A repeat changes nothing, and the order of several does not matter. Nothing is
   * noted of an account that does not exist. One read unit. Five write units for the first row of
   * an account, three for a change of its score, none for what is known.
   *
   * @return whether the row changed
   * @throws ThrottledException when concurrent writes keep changing the same row
   */
  public boolean note(Evidence evidence) {
    return table
        .retry()
        .until(
            "The suspicion of " + User.key(evidence.userId()),
            () -> {
              var stored = get(evidence.userId());
              if (stored.isEmpty()) {
                return first(Suspect.of(evidence));
              }
              var after = stored.get().with(evidence);
              return after.equals(stored.get())
                  ? Optional.of(false)
                  : Optional.of(true).filter(_ -> replace(stored.get(), after));
            });
  }

  /** An erasure that began meanwhile may not find the first row, so its transaction has a check. */
  private Optional<Boolean> first(Suspect row) {
    var account = User.key(row.userId());
    var outcome = table.transaction().check(account, present()).put(row, absent()).commit();
    if (outcome.isDone()) {
      return Optional.of(true);
    }
    return outcome.failedAt(account) ? Optional.of(false) : Optional.empty();
  }

  private boolean replace(Suspect before, Suspect after) {
    return table.put(after, present().and(equal(Suspect.REVISION, before.revision()))).isDone();
  }

  /**
   * Dismisses what was found of an account so far. A repeat changes nothing. One read unit and two
   * write units.
   *
   * @return false for an account without a row
   * @throws ThrottledException when concurrent writes keep changing the same row
   */
  public boolean dismiss(String userId, Instant now) {
    return table
        .retry()
        .until(
            "The dismissal of " + User.key(userId),
            () -> {
              var stored = get(userId);
              if (stored.isEmpty()) {
                return Optional.of(false);
              }
              var after = stored.get().dismissed(now);
              return after.equals(stored.get()) || replace(stored.get(), after)
                  ? Optional.of(true)
                  : Optional.empty();
            });
  }

  /**
   * Returns the accounts that are listed, highest score first, of equal scores the higher id first.
   * Eventually consistent. Position is the GSI1 sort key.
   */
  @Serves(AccessPattern.FEED_019)
  public Page<SuspectRef> listed(PageRequest request) {
    return lists
        .ofIndex(AccessPattern.FEED_019, EngagementKey.class, Keys.SUSPECTS, request)
        .fromPositions(SuspectRef::at);
  }

  /** Returns the rows of some accounts, eventually consistent. Half a read unit each. */
  public Map<String, Suspect> getAll(Collection<String> userIds) {
    return table.getAll(userIds.stream().map(Suspect::key).toList(), false).stream()
        .map(Suspect.class::cast)
        .collect(Collectors.toMap(Suspect::userId, row -> row));
  }
}
