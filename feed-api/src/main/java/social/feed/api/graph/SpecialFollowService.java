package social.feed.api.graph;

import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountLookup;
import social.feed.table.graph.SpecialFollowWriter;

/** Makes follows special, and ends that. */
@Singleton
final class SpecialFollowService {
  private final AccountLookup members;
  private final SpecialFollowWriter writes;
  private final InstantSource clock;

  SpecialFollowService(AccountLookup members, SpecialFollowWriter writes, InstantSource clock) {
    this.members = members;
    this.writes = writes;
    this.clock = clock;
  }

  /**
   * Four read units and six write units. A repeat changes nothing. Whoever is not followed is not
   * followed by it: a follow has rules of its own, and one that was just ended must not come back
   * with a request that was under way.
   */
  void mark(Viewer viewer, String followeeId) {
    members.caller(viewer);
    members.account(followeeId);
    switch (writes.mark(
        viewer.userId(), followeeId, clock.instant().truncatedTo(ChronoUnit.MILLIS))) {
      case DONE -> {}
      case NOT_FOLLOWING ->
          throw new ProblemException(ProblemCode.NOT_FOLLOWED, ProblemCode.NOT_FOLLOWED.title());
      case CAP_REACHED ->
          throw new ProblemException(
              ProblemCode.SPECIAL_CAP_REACHED,
              "The caller follows as many accounts specially as one may");
    }
  }

  /**
   * Two read units and six write units. A repeat changes nothing, also where the account is gone.
   */
  void unmark(Viewer viewer, String followeeId) {
    members.caller(viewer);
    if (!writes.unmark(viewer.userId(), followeeId)) {
      members.account(followeeId);
    }
  }
}
