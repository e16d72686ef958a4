package social.feed.api.graph;

import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.api.edge.text.ValidationErrors;
import social.feed.api.user.AccountLookup;
import social.feed.table.graph.BlockWriter;
import social.feed.table.row.Block;
import social.feed.table.row.Mute;

/** Blocks and mutes, and ends both. Two read units, and those of the write. */
@Singleton
final class BlockService {
  private final AccountLookup members;
  private final BlockWriter writes;
  private final InstantSource clock;

  BlockService(AccountLookup members, BlockWriter writes, InstantSource clock) {
    this.members = members;
    this.writes = writes;
    this.clock = clock;
  }

  /** Also of an account that blocks the caller, which the caller cannot see. */
  void block(Viewer viewer, String otherId) {
    refuseOneself(viewer, otherId, ProblemCode.SELF_BLOCK);
    members.caller(viewer);
    members.account(otherId);
    switch (writes.block(new Block(viewer.userId(), otherId, now()))) {
      case DONE -> {}
      case CAP_REACHED ->
          throw new ProblemException(
              ProblemCode.BLOCK_CAP_REACHED, "The caller blocks as many accounts as one may");
    }
  }

  void unblock(Viewer viewer, String otherId) {
    members.caller(viewer);
    members.account(otherId);
    writes.unblock(viewer.userId(), otherId);
  }

  /**
   * @param wish when it ends; absent for a mute that does not end by itself
   */
  void mute(Viewer viewer, String otherId, @Nullable Instant wish) {
    Instant now = now();
    new ValidationErrors().checkFuture("until", now, wish).refuseIfAny();
    Instant until = wish == null ? null : wish.truncatedTo(ChronoUnit.MILLIS);
    refuseOneself(viewer, otherId, ProblemCode.SELF_MUTE);
    members.caller(viewer);
    members.account(otherId);
    switch (writes.mute(Mute.of(viewer.userId(), otherId, now, until))) {
      case DONE -> {}
      case CAP_REACHED ->
          throw new ProblemException(
              ProblemCode.MUTE_CAP_REACHED, "The caller mutes as many accounts as one may");
    }
  }

  void unmute(Viewer viewer, String otherId) {
    members.caller(viewer);
    members.account(otherId);
    writes.unmute(viewer.userId(), otherId);
  }

  private static void refuseOneself(Viewer viewer, String otherId, ProblemCode code) {
    if (viewer.userId().equals(otherId)) {
      throw new ProblemException(code, code.title());
    }
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
