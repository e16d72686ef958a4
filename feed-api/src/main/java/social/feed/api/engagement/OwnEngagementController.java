package social.feed.api.engagement;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.api.post.HydratedPosts;
import social.feed.api.post.PostBody;
import social.feed.api.post.PostHydration;
import social.feed.api.user.AccountCache;
import social.feed.api.user.HydratedAccounts;
import social.feed.table.access.AccessPattern;
import social.feed.table.engagement.Comments;
import social.feed.table.engagement.Likes;
import social.feed.table.row.Comment;
import social.feed.table.row.CommentRef;
import social.feed.table.row.EngagementRef;

/**
 * What the caller liked and commented, on posts that the caller may still see. A page costs half a
 * read unit for each 4 KB of the index, what {@link PostHydration} states for its posts, and half a
 * unit for each comment.
 */
@RequiresToken
@Controller("/v1/users/me")
@Tag(name = "engagement")
class OwnEngagementController {
  private final Likes likes;
  private final Comments comments;
  private final PostHydration posts;
  private final AccountCache accounts;
  private final Pages pages;

  OwnEngagementController(
      Likes likes, Comments comments, PostHydration posts, AccountCache accounts, Pages pages) {
    this.likes = likes;
    this.comments = comments;
    this.posts = posts;
    this.accounts = accounts;
    this.pages = pages;
  }

  /** A post that the caller likes. */
  @Serdeable
  @Schema(name = "LikedPost")
  record LikedPostBody(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Instant likedAt,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) PostBody post) {}

  /** A comment of the caller, with its post. */
  @Serdeable
  @Schema(name = "OwnComment")
  record OwnCommentBody(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) CommentBody comment,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) PostBody post) {}

  @Operation(summary = "Posts that the caller likes", description = "Newest like first.")
  @Get("/likes")
  PageBody<LikedPostBody> listOwnLikes(
      Viewer viewer, @PageOf(AccessPattern.FEED_016) PageParameters page) {
    return pages
        .list(viewer, AccessPattern.FEED_016, viewer.userId())
        .skeleton(request -> likes.by(viewer.userId(), request))
        .hydrate(found -> posts.ofIds(viewer, found.stream().map(EngagementRef::postId).toList()))
        .filter((visible, like) -> visible.isVisible(like.postId()))
        .present(
            (visible, like) -> new LikedPostBody(like.createdAt(), visible.body(like.postId())))
        .page(page);
  }

  @Operation(summary = "Comments of the caller", description = "Newest first, with their posts.")
  @Get("/comments")
  PageBody<OwnCommentBody> listOwnComments(
      Viewer viewer, @PageOf(AccessPattern.FEED_017) PageParameters page) {
    return pages
        .list(viewer, AccessPattern.FEED_017, viewer.userId())
        .skeleton(request -> comments.by(viewer.userId(), request))
        .hydrate(found -> hydrated(viewer, found))
        .filter(OwnComments::isVisible)
        .present(OwnComments::body)
        .page(page);
  }

  /** Reads the comments of visible posts only. */
  private OwnComments hydrated(Viewer viewer, List<CommentRef> references) {
    HydratedPosts visible =
        posts.ofIds(viewer, references.stream().map(CommentRef::postId).toList());
    List<CommentRef> shown =
        references.stream().filter(reference -> visible.isVisible(reference.postId())).toList();
    return new OwnComments(
        visible,
        accounts.hydrate(viewer, shown, _ -> viewer.userId()),
        comments.getAll(shown).stream().collect(toMap(Comment::commentId, identity())));
  }

  private record OwnComments(
      HydratedPosts posts, HydratedAccounts authors, Map<String, Comment> comments) {
    /** An account that is being erased still has references to its comments. */
    boolean isVisible(CommentRef reference) {
      @Nullable Comment comment = comments.get(reference.commentId());
      return comment != null
          && posts.isVisible(reference.postId())
          && authors.isVisible(comment.authorId());
    }

    OwnCommentBody body(CommentRef reference) {
      Comment comment = Objects.requireNonNull(comments.get(reference.commentId()));
      return new OwnCommentBody(
          CommentBody.of(comment, authors.body(comment.authorId())),
          posts.body(reference.postId()));
    }
  }
}
