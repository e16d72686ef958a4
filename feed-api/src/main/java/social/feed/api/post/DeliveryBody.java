package social.feed.api.post;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import social.feed.table.home.FanOutProgress;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Post;

/**
 * The delivery of a post to the followers of its author.
 *
 * @param mode push: entries are written into feeds; pull: readers read the post from its author
 * @param state progress of the delivery
 * @param planned followers found so far
 * @param written feeds that contain the post
 * @param skipped followers who are not entitled to the post, or no longer follow
 * @param failed followers in chunks that became dead letters
 * @param startedAt when the multiplexer started the delivery
 * @param lagSeconds seconds from the creation of the post to the end of its delivery, or until now
 */
@Serdeable
@Schema(name = "Delivery")
record DeliveryBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) DeliveryMode mode,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) DeliveryState state,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long planned,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long written,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long skipped,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long failed,
    @Nullable Instant startedAt,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) double lagSeconds) {
  private static final double MILLIS = 1_000;

  /** A pulled post is visible to all readers at once. */
  static DeliveryBody pulled() {
    return without(DeliveryMode.PULL, DeliveryState.DELIVERED, 0);
  }

  /** A delivery that the multiplexer has not started. */
  static DeliveryBody pending(Post post, Instant now) {
    return without(DeliveryMode.PUSH, DeliveryState.PENDING, lag(post, now));
  }

  /** A delivery so old that its progress has expired. */
  static DeliveryBody expired() {
    return without(DeliveryMode.PUSH, DeliveryState.DELIVERED, 0);
  }

  static DeliveryBody of(Post post, FanOutProgress progress, Instant now) {
    var done = progress.doneAt();
    return new DeliveryBody(
        DeliveryMode.of(FanOutMode.PUSH),
        state(progress),
        progress.planned(),
        progress.written(),
        progress.skipped(),
        progress.failed(),
        progress.startedAt(),
        lag(post, progress.isDone() && done != null ? done : now));
  }

  private static DeliveryBody without(DeliveryMode mode, DeliveryState state, double lag) {
    return new DeliveryBody(mode, state, 0, 0, 0, 0, null, lag);
  }

  private static DeliveryState state(FanOutProgress progress) {
    if (progress.isDeadLettered()) {
      return DeliveryState.FAILED;
    }
    if (!progress.isPlanned()) {
      return DeliveryState.PLANNING;
    }
    if (!progress.isDone()) {
      return DeliveryState.DELIVERING;
    }
    return progress.failed() > 0 ? DeliveryState.FAILED : DeliveryState.DELIVERED;
  }

  private static double lag(Post post, Instant until) {
    return Math.max(0, Duration.between(post.createdAt(), until).toMillis()) / MILLIS;
  }
}
