package social.feed.api.home;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;
import social.feed.table.home.FanOutProgress;

/**
 * Why a post is not in the caller's home feed.
 *
 * @param postId the post
 * @param reason the reason
 * @param detail the reason in a sentence
 * @param delivery progress of the delivery, while it is in progress
 */
@Serdeable
@Schema(name = "WhyMissing")
record MissingBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String postId,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) MissingReason reason,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String detail,
    @Nullable ProgressBody delivery) {

  /**
   * Progress of a delivery.
   *
   * @param planned followers found so far
   * @param done followers that the delivery has processed
   */
  @Serdeable
  @Schema(name = "DeliveryProgress")
  record ProgressBody(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long planned,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long done) {}

  static MissingBody of(String postId, MissingReason reason) {
    return new MissingBody(postId, reason, reason.sentence(), null);
  }

  MissingBody with(FanOutProgress progress) {
    long done = progress.written() + progress.skipped() + progress.failed();
    return new MissingBody(postId, reason, detail, new ProgressBody(progress.planned(), done));
  }
}
