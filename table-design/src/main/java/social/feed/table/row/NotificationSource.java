package social.feed.table.row;

import java.time.Instant;

/** A row that notifications come from. */
public sealed interface NotificationSource permits Post, Like, Comment, Follow {
  /** Returns the key of the row. */
  Key key();

  /**
   * Returns the time of the notifications. A row that was removed and written again has another
   * time, and notifications of its own.
   */
  Instant createdAt();
}
