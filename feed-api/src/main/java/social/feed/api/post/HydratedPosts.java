package social.feed.api.post;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.api.media.MediaAddresses;
import social.feed.api.user.AccountBody;
import social.feed.table.home.FeedView;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Post;
import social.feed.table.row.PostRef;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Visibility;

/**
 * The rows that a page of posts needs, with the rules that decide which of the posts the caller may
 * see.
 *
 * @param posts by id, without those that the rules hide before they are read
 * @param authors of the visible posts, by id
 * @param liked ids of the visible posts that the caller likes
 * @param addresses signs the addresses of images
 */
public record HydratedPosts(
    Rules rules,
    Map<String, Post> posts,
    Map<String, AccountBody> authors,
    Set<String> liked,
    MediaAddresses addresses) {

  /**
   * Decides what the caller may see.
   *
   * @param hiddenAuthors authors behind a block, and in home feeds behind a mute
   * @param followed authors that the caller follows
   * @param retained posts of unfollowed authors that the caller keeps, by author
   */
  record Rules(
      String viewerId,
      Set<String> hiddenAuthors,
      Set<String> followed,
      Map<String, RetainedPosts> retained) {

    boolean mayRead(String authorId, Visibility visibility) {
      return !hiddenAuthors.contains(authorId)
          && visibility.allows(isViewer(authorId), followed.contains(authorId));
    }

    boolean mayRead(Post post) {
      return mayRead(post.authorId(), post.visibility());
    }

    /** A feed entry can outlive the follow that it came from. */
    boolean isEntitled(Post post) {
      String authorId = post.authorId();
      @Nullable RetainedPosts kept = retained.get(authorId);
      return isViewer(authorId)
          || followed.contains(authorId)
          || (kept != null && kept.covers(post.createdAt()));
    }

    boolean isViewer(String authorId) {
      return viewerId.equals(authorId);
    }
  }

  /** Whether a list by author or tag shows a post. The post decides where the index lags behind. */
  public boolean isListed(PostRef reference) {
    @Nullable Post post = posts.get(reference.postId());
    return post != null
        && rules.mayRead(reference.authorId(), reference.visibility())
        && rules.mayRead(post)
        && authors.containsKey(post.authorId());
  }

  /** Whether a list of references without an author shows a post. */
  public boolean isVisible(String postId) {
    @Nullable Post post = posts.get(postId);
    return post != null && rules.mayRead(post) && authors.containsKey(post.authorId());
  }

  /** Whether a search shows a post. The index may be late, and have posts that are not public. */
  public boolean isFound(String postId) {
    @Nullable Post post = posts.get(postId);
    return post != null && post.visibility() == Visibility.PUBLIC && isVisible(postId);
  }

  /** Whether the home feed shows a post. */
  public boolean isInFeed(FeedRef reference) {
    @Nullable Post post = posts.get(reference.postId());
    return post != null
        && rules.isEntitled(post)
        && rules.mayRead(post)
        && authors.containsKey(post.authorId());
  }

  public PostBody body(PostRef reference) {
    return body(reference.postId());
  }

  public PostBody body(FeedRef reference) {
    return body(reference.postId());
  }

  /** Returns the body of a visible post. */
  public PostBody body(String postId) {
    Post post = Objects.requireNonNull(posts.get(postId));
    AccountBody author = Objects.requireNonNull(authors.get(post.authorId()));
    return PostBody.of(post, author, liked.contains(postId), addresses);
  }

  /** Returns the body with the reason why the post is in the feed. */
  public PostBody explained(FeedRef reference, FeedView view) {
    Post post = Objects.requireNonNull(posts.get(reference.postId()));
    return body(reference)
        .explained(FeedExplanation.of(view, post, rules.followed().contains(post.authorId())));
  }
}
