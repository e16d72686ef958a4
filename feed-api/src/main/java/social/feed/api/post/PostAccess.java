package social.feed.api.post;

import jakarta.inject.Singleton;
import java.util.Optional;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.table.graph.FollowEdges;
import social.feed.table.post.Posts;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.table.user.Users;

/**
 * The door to a single post: what the caller may not see does not exist. The posts of who was
 * erased are gone for everybody before they are removed.
 */
@Singleton
public final class PostAccess {
  private final Posts posts;
  private final FollowEdges follows;
  private final Users users;

  PostAccess(Posts posts, FollowEdges follows, Users users) {
    this.posts = posts;
    this.follows = follows;
    this.users = users;
  }

  /**
   * A post that the caller may see, strongly consistent. Three read units, for the post, its author
   * and the caller's blocks, and one more for the edge when it is for followers.
   *
   * @throws ProblemException {@code not_found}
   */
  public Post visible(Viewer viewer, String postId) {
    return authored(viewer, postId).post();
  }

  /** As {@link #visible}, with the author, at the same cost. */
  AuthoredPost authored(Viewer viewer, String postId) {
    return seen(viewer, postId).orElseThrow(PostAccess::missing);
  }

  /** As {@link #visible}, empty for what there is not. */
  public Optional<Post> find(Viewer viewer, String postId) {
    return seen(viewer, postId).map(AuthoredPost::post);
  }

  private Optional<AuthoredPost> seen(Viewer viewer, String postId) {
    return posts
        .get(postId)
        .filter(post -> !viewer.boundary().separates(post.authorId()))
        .filter(post -> isVisible(viewer, post))
        .flatMap(this::authored);
  }

  /** A post that nothing but a block keeps from the caller. Three read units. */
  public Optional<Post> behindBlock(Viewer viewer, String postId) {
    return posts
        .get(postId)
        .filter(post -> post.visibility() == Visibility.PUBLIC)
        .filter(post -> viewer.boundary().separates(post.authorId()))
        .flatMap(this::authored)
        .map(AuthoredPost::post);
  }

  private Optional<AuthoredPost> authored(Post post) {
    return users.get(post.authorId()).map(author -> new AuthoredPost(post, author));
  }

  /**
   * A post of the caller.
   *
   * @throws ProblemException {@code not_found}, also for a post of somebody else
   */
  Post own(Viewer viewer, String postId) {
    return posts
        .get(postId)
        .filter(post -> post.authorId().equals(viewer.userId()))
        .orElseThrow(PostAccess::missing);
  }

  static ProblemException missing() {
    return new ProblemException(ProblemCode.NOT_FOUND, "There is no such post");
  }

  private boolean isVisible(Viewer viewer, Post post) {
    boolean isAuthor = post.authorId().equals(viewer.userId());
    boolean asksForEdge = post.visibility() == Visibility.FOLLOWERS && !isAuthor;
    return post.visibility()
        .allows(isAuthor, asksForEdge && follows.get(viewer.userId(), post.authorId()).isPresent());
  }
}
