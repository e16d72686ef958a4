package social.feed.streams.plan;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Follow;
import social.feed.table.row.Post;
import social.feed.table.row.RowKind;
import social.feed.table.row.User;

/**
 * The two readers that a shard admits. Each wants only some changes, and an event source filters by
 * that, so that the multiplexer's own writes do not come back to it.
 */
@SuppressWarnings("ImmutableEnumChecker") // Sets that nobody changes.
public enum Lane {
  /**
   * Counters with a mark a shard: one batch at a time, in windows, so that events name their shard.
   */
  COUNTS(
      EnumSet.of(RowKind.POST, RowKind.LIKE, RowKind.COMMENT, RowKind.FOLLOW),
      EnumSet.of(RowKind.POST),
      EnumSet.of(RowKind.POST, RowKind.LIKE, RowKind.COMMENT, RowKind.FOLLOW)),

  /** Everything else, idempotent by key. */
  EFFECTS(
      EnumSet.of(
          RowKind.POST,
          RowKind.LIKE,
          RowKind.COMMENT,
          RowKind.FOLLOW,
          RowKind.FOLLOW_QUOTA,
          RowKind.ACTIVITY,
          RowKind.FAN_OUT_CHUNK,
          RowKind.ANNOUNCEMENT_PART,
          RowKind.ERASURE),
      EnumSet.of(
          RowKind.POST,
          RowKind.FOLLOW,
          RowKind.FOLLOW_QUOTA,
          RowKind.USER,
          RowKind.ACTIVITY,
          RowKind.ERASURE),
      EnumSet.of(
          RowKind.POST, RowKind.LIKE, RowKind.COMMENT, RowKind.FOLLOW, RowKind.ERASURE_ALARM));

  private final Set<RowKind> inserted;
  private final Set<RowKind> modified;
  private final Set<RowKind> removed;

  Lane(Set<RowKind> inserted, Set<RowKind> modified, Set<RowKind> removed) {
    this.inserted = inserted;
    this.modified = modified;
    this.removed = removed;
  }

  /**
   * Of a kind whose changes matter only where one attribute changes, that attribute: an account and
   * a post change with every count, and only becoming a celebrity and other readers have effects.
   */
  public static Optional<String> flagOf(RowKind kind) {
    return switch (kind) {
      case USER -> Optional.of(User.IS_CELEBRITY);
      case POST -> Optional.of(Post.VISIBILITY);
      case FOLLOW -> Optional.of(Follow.FEED_RETRIED_AT);
      case ACTIVITY -> Optional.of(FeedActivity.STORED_SINCE);
      default -> Optional.empty();
    };
  }

  /**
   * Whether a change may have effects in this lane. Of a modified row only when its {@link #flagOf
   * flag}, where there is one, flipped.
   *
   * @param eventName {@code INSERT}, {@code MODIFY} or {@code REMOVE}
   */
  public boolean wants(RowKind kind, String eventName) {
    return switch (eventName) {
      case "INSERT" -> inserted.contains(kind);
      case "MODIFY" -> modified.contains(kind);
      default -> removed.contains(kind);
    };
  }
}
