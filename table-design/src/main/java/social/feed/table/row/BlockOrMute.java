package social.feed.table.row;

import java.time.Instant;

/** A row that keeps one account away from another: {@code USER#<id> / <kind>#<other>}. */
public sealed interface BlockOrMute permits Block, BlockedBy, Mute {
  /** Where the item is. */
  Key key();

  /** Whose row it is. */
  String userId();

  /** The account on the other side. */
  String otherId();

  /** When it was set up. */
  Instant createdAt();

  /** Whether it counts at a time; only a mute ends by itself. */
  boolean isInForceAt(Instant time);
}
