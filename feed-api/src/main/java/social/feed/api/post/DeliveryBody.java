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
 * The delivery of a post.
 *
 * @param mode whether entries are written into feeds, or readers find the post with its author
 * @param state how far it is
 * @param planned followers found so far
 * @param written feeds that hold it
 * @param skipped followers who are owed nothing, or no longer follow
 * @param failed followers in parts that became dead letters
 * @param startedAt when the multiplexer came to it
 * @param lagSeconds from the writing of the post until its delivery was done, or until now
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

  /** A pulled post is there for everybody at once. */
  static DeliveryBody pulled() {
    return without(DeliveryMode.PULL, DeliveryState.DELIVERED, 0);
  }

  /** One that the multiplexer has not come to. */
  static DeliveryBody pending(Post post, Instant now) {
    return without(DeliveryMode.PUSH, DeliveryState.PENDING, lag(post, now));
  }

  /** One so old that nothing is kept of it. */
  static DeliveryBody forgotten() {
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
    if (progress.isBuried()) {
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
