package social.feed.api.graph;

import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.rate.DeliveryLimit;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountLookup;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.FollowEdges;
import social.feed.table.row.Block;
import social.feed.table.row.Mute;
import social.feed.table.row.User;

/**
 * Starts and ends blocks and mutes. Two read units, two more for a block, plus the cost of the
 * write.
 */
@Singleton
final class BlockService {
  private final AccountLookup accounts;
  private final FollowEdges follows;
  private final BlockWriter writes;
  private final DeliveryLimit deliveries;
  private final QuotaTurns turns;
  private final InstantSource clock;

  BlockService(
      AccountLookup accounts,
      FollowEdges follows,
      BlockWriter writes,
      DeliveryLimit deliveries,
      QuotaTurns turns,
      InstantSource clock) {
    this.accounts = accounts;
    this.follows = follows;
    this.writes = writes;
    this.deliveries = deliveries;
    this.turns = turns;
    this.clock = clock;
  }

  /**
   * Blocks an account, also one that blocks the caller and is invisible to the caller. What it
   * takes out of feeds, because a follow ends, is charged before.
   *
   * @throws ProblemException {@code rate_limited} by {@link DeliveryLimit}
   */
  void block(Viewer viewer, String otherId) {
    rejectSelf(viewer, otherId, ProblemCode.SELF_BLOCK);
    User caller = accounts.caller(viewer);
    User other = accounts.account(otherId);
    deliveries.chargeBlock(caller, other, follows.relationship(caller.userId(), otherId));
    Block block = new Block(viewer.userId(), otherId, now());
    switch (turns.take(viewer.userId(), () -> writes.block(block))) {
      case DONE -> {}
      case CAP_REACHED ->
          throw new ProblemException(
              ProblemCode.BLOCK_CAP_REACHED, "The caller blocks the maximum number of accounts");
    }
  }

  void unblock(Viewer viewer, String otherId) {
    accounts.caller(viewer);
    accounts.account(otherId);
    writes.unblock(viewer.userId(), otherId);
  }

  /**
   * Mutes an account.
   *
   * @param requestedEnd when the mute ends; absent for a mute without an end
   */
  void mute(Viewer viewer, String otherId, @Nullable Instant requestedEnd) {
    Instant now = now();
    Instant until = requestedEnd == null ? null : requestedEnd.truncatedTo(ChronoUnit.MILLIS);
    rejectSelf(viewer, otherId, ProblemCode.SELF_MUTE);
    accounts.caller(viewer);
    accounts.account(otherId);
    Mute mute = Mute.of(viewer.userId(), otherId, now, until);
    switch (turns.take(viewer.userId(), () -> writes.mute(mute))) {
      case DONE -> {}
      case CAP_REACHED ->
          throw new ProblemException(
              ProblemCode.MUTE_CAP_REACHED, "The caller mutes the maximum number of accounts");
    }
  }

  void unmute(Viewer viewer, String otherId) {
    accounts.caller(viewer);
    accounts.account(otherId);
    turns.run(viewer.userId(), () -> writes.unmute(viewer.userId(), otherId));
  }

  private static void rejectSelf(Viewer viewer, String otherId, ProblemCode code) {
    if (viewer.userId().equals(otherId)) {
      throw new ProblemException(code, code.title());
    }
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
