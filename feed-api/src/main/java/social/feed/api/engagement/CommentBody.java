package social.feed.api.engagement;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import social.feed.api.user.AccountBody;
import social.feed.table.row.Comment;

/**
 * A comment.
 *
 * @param id time-ordered
 * @param author the author, as the account is now
 * @param text as it was written
 * @param createdAt when it was written
 */
@Serdeable
@Schema(name = "Comment")
record CommentBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String id,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) AccountBody author,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String text,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Instant createdAt) {

  static CommentBody of(Comment comment, AccountBody author) {
    return new CommentBody(comment.commentId(), author, comment.text(), comment.createdAt());
  }
}
