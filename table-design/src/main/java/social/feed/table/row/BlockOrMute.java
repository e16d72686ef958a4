package social.feed.table.row;

import java.time.Instant;

/** A row that separates one account from another: {@code USER#<id> / <kind>#<other>}. */
public sealed interface BlockOrMute permits Block, BlockedBy, Mute {
  /** Returns the key of the item in the table. */
  Key key();

  /** Returns the account that owns the row. */
  String userId();

  /** Returns the account on the other side. */
  String otherId();

  /** Returns when the row was written. */
  Instant createdAt();

  /** Returns whether the row has an effect at a time. Only a mute ends by itself. */
  boolean isInForceAt(Instant time);
}
