package social.feed.api.graph;

import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountLookup;
import social.feed.table.graph.SpecialFollowWriter;

/** Marks follows as special, and removes the mark. */
@Singleton
final class SpecialFollowService {
  private final AccountLookup accounts;
  private final SpecialFollowWriter writes;
  private final QuotaTurns turns;
  private final InstantSource clock;

  SpecialFollowService(
      AccountLookup accounts, SpecialFollowWriter writes, QuotaTurns turns, InstantSource clock) {
    this.accounts = accounts;
    this.writes = writes;
    this.turns = turns;
    this.clock = clock;
  }

  /**
   * Marks a follow as special. A repeat changes nothing. It never creates the follow: a follow has
   * its own rules, and a concurrent request must not restore a follow that just ended. Four read
   * units and six write units.
   */
  void mark(Viewer viewer, String followeeId) {
    accounts.caller(viewer);
    accounts.account(followeeId);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    switch (turns.take(viewer.userId(), () -> writes.mark(viewer.userId(), followeeId, now))) {
      case DONE -> {}
      case NOT_FOLLOWING ->
          throw new ProblemException(ProblemCode.NOT_FOLLOWED, ProblemCode.NOT_FOLLOWED.title());
      case CAP_REACHED ->
          throw new ProblemException(
              ProblemCode.SPECIAL_CAP_REACHED,
              "The caller follows the maximum number of accounts specially");
    }
  }

  /**
   * Removes the mark. A repeat changes nothing, also where the account is gone. Two read units and
   * six write units.
   */
  void unmark(Viewer viewer, String followeeId) {
    accounts.caller(viewer);
    if (!turns.take(viewer.userId(), () -> writes.unmark(viewer.userId(), followeeId))) {
      accounts.account(followeeId);
    }
  }
}
