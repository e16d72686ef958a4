package social.feed.api.post;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.api.media.AttachedMedia;
import social.feed.api.media.MediaAddresses;
import social.feed.api.user.AccountBody;
import social.feed.table.row.Post;

/**
 * A post, by itself and in every list.
 *
 * @param id time-ordered
 * @param author the author, as the account is now
 * @param text as it was written
 * @param tags normalized, in the order of the text
 * @param mentions accounts that the text mentions, with their handles at the time of writing
 * @param visibility who may read it
 * @param mediaRef reference to media stored elsewhere
 * @param media images, as they were when it was written; absent for none
 * @param createdAt when it was written
 * @param likesCount number of likes, eventually consistent
 * @param commentsCount number of comments, eventually consistent
 * @param viewer the state of the post for the caller
 * @param explain why it is in the home feed; only with {@code explain=true}
 * @param highlights where the words of a search occur in the text; only in a search
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
    @Nullable List<AttachedMedia> media,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Instant createdAt,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long likesCount,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long commentsCount,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) ViewerBody viewer,
    @Nullable FeedExplanation explain,
    @Nullable List<HighlightBody> highlights) {

  /** An account that a text mentions. */
  @Serdeable
  @Schema(name = "Mention")
  record MentionBody(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String id,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String handle) {}

  /** The state of a post for the caller. */
  @Serdeable
  @Schema(name = "PostViewer")
  record ViewerBody(@Schema(requiredMode = Schema.RequiredMode.REQUIRED) boolean liked) {}

  static PostBody of(Post post, AccountBody author, boolean liked, MediaAddresses addresses) {
    return of(post, author, liked, post.likesCount(), post.commentsCount(), addresses);
  }

  /** The body of the first answer, without later changes. */
  static PostBody asCreated(Post post, AccountBody author, MediaAddresses addresses) {
    return of(post, author, false, 0, 0, addresses);
  }

  private static PostBody of(
      Post post,
      AccountBody author,
      boolean liked,
      long likesCount,
      long commentsCount,
      MediaAddresses addresses) {
    List<AttachedMedia> media =
        post.files().stream().map(file -> AttachedMedia.of(file, addresses)).toList();
    return new PostBody(
        post.postId(),
        author,
        post.text(),
        post.tags(),
        post.mentions().stream().map(m -> new MentionBody(m.userId(), m.handle())).toList(),
        PostVisibility.of(post.visibility()),
        post.mediaRef(),
        media.isEmpty() ? null : media,
        post.createdAt(),
        likesCount,
        commentsCount,
        new ViewerBody(liked),
        null,
        null);
  }

  PostBody explained(FeedExplanation explanation) {
    return with(explanation, highlights);
  }

  PostBody found(List<HighlightBody> occurrences) {
    return with(explain, occurrences);
  }

  private PostBody with(
      @Nullable FeedExplanation explanation, @Nullable List<HighlightBody> occurrences) {
    return new PostBody(
        id,
        author,
        text,
        tags,
        mentions,
        visibility,
        mediaRef,
        media,
        createdAt,
        likesCount,
        commentsCount,
        viewer,
        explanation,
        occurrences);
  }
}
