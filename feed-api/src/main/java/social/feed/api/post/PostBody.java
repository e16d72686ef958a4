package social.feed.api.post;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.api.user.AccountBody;
import social.feed.table.row.Post;

/**
 * A post, alone and in every page.
 *
 * @param id time-ordered
 * @param author who wrote it, as the account is now
 * @param text as it was written
 * @param tags normalised, in the order of the text
 * @param mentions accounts that the text names, as they were when it was written
 * @param visibility who may read it
 * @param mediaRef reference to media kept elsewhere
 * @param createdAt when it was written
 * @param likesCount a moment old
 * @param commentsCount a moment old
 * @param viewer what it is to the caller
 * @param explain why it is in the home feed, where that was asked for
 */
@Serdeable
@Schema(name = "Post")
public record PostBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String id,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) AccountBody author,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String text,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) List<String> tags,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) List<MentionBody> mentions,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) PostVisibility visibility,
    @Nullable String mediaRef,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Instant createdAt,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long likesCount,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long commentsCount,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) ViewerBody viewer,
    @Nullable FeedExplanation explain) {

  /** An account that a text names. */
  @Serdeable
  @Schema(name = "Mention")
  record MentionBody(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String id,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String handle) {}

  /** What a post is to the caller. */
  @Serdeable
  @Schema(name = "PostViewer")
  record ViewerBody(@Schema(requiredMode = Schema.RequiredMode.REQUIRED) boolean liked) {}

  static PostBody of(Post post, AccountBody author, boolean liked) {
    return of(post, author, liked, post.likesCount(), post.commentsCount());
  }

  /** As it was answered when it was written, whatever happened since. */
  static PostBody asCreated(Post post, AccountBody author) {
    return of(post, author, false, 0, 0);
  }

  private static PostBody of(
      Post post, AccountBody author, boolean liked, long likesCount, long commentsCount) {
    return new PostBody(
        post.postId(),
        author,
        post.text(),
        post.tags(),
        post.mentions().stream().map(m -> new MentionBody(m.userId(), m.handle())).toList(),
        PostVisibility.of(post.visibility()),
        post.mediaRef(),
        post.createdAt(),
        likesCount,
        commentsCount,
        new ViewerBody(liked),
        null);
  }

  PostBody explained(FeedExplanation explanation) {
    return new PostBody(
        id,
        author,
        text,
        tags,
        mentions,
        visibility,
        mediaRef,
        createdAt,
        likesCount,
        commentsCount,
        viewer,
        explanation);
  }
}
