package social.feed.api.post;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountBody;
import social.feed.api.user.AccountCache;
import social.feed.table.graph.FollowEdges;
import social.feed.table.post.Posts;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;

/**
 * Reads single posts under the caller's rules: a post that the caller may not see does not exist.
 * Posts of an erased author are gone for everyone before their rows are removed, as soon as {@link
 * AccountCache} no longer has the author.
 */
@Singleton
public final class PostAccess {
  private final Posts posts;
  private final FollowEdges follows;
  private final AccountCache accounts;

  /** A post that many callers read at once is read once for them. */
  private final Function<String, Optional<Post>> shared;

  /** A post with its author. */
  record Authored(Post post, AccountBody author) {}

  @Inject
  PostAccess(Posts posts, FollowEdges follows, AccountCache accounts) {
    this(posts, follows, accounts, new SharedReads<>(posts::get)::get);
  }

  /**
   * @param shared reads a post by its id, strongly consistent
   */
  PostAccess(
      Posts posts,
      FollowEdges follows,
      AccountCache accounts,
      Function<String, Optional<Post>> shared) {
    this.posts = posts;
    this.follows = follows;
    this.accounts = accounts;
    this.shared = shared;
  }

  /**
   * Returns a post that the caller may see. Post, follow and blocks are strongly consistent. The
   * author may be as old as {@link AccountCache} allows. Two and a half read units: one for the
   * post, one for the caller's blocks, or two where there are many, and half a one for the author.
   * Two for the caller's own post. One more for the follow edge when the post is for followers.
   *
   * @throws ProblemException {@code not_found}
   */
  public Post visible(Viewer viewer, String postId) {
    return authored(viewer, postId).post();
  }

  /** As {@link #visible}, with the author, at the same cost. */
  Authored authored(Viewer viewer, String postId) {
    return seen(viewer, postId).orElseThrow(PostAccess::missing);
  }

  /** As {@link #visible}, empty for a missing post. */
  public Optional<Post> find(Viewer viewer, String postId) {
    return seen(viewer, postId).map(Authored::post);
  }

  private Optional<Authored> seen(Viewer viewer, String postId) {
    return shared
        .apply(postId)
        .filter(post -> !viewer.relations().separates(post.authorId()))
        .filter(post -> isVisible(viewer, post))
        .flatMap(post -> authored(viewer, post));
  }

  /** Returns a post that only a block hides from the caller. Costs as {@link #visible}. */
  public Optional<Post> behindBlock(Viewer viewer, String postId) {
    return shared
        .apply(postId)
        .filter(post -> post.visibility() == Visibility.PUBLIC)
        .filter(post -> viewer.relations().separates(post.authorId()))
        .flatMap(post -> authored(viewer, post))
        .map(Authored::post);
  }

  private Optional<Authored> authored(Viewer viewer, Post post) {
    return author(viewer, post.authorId()).map(author -> new Authored(post, author));
  }

  /** The cache reads eventually consistent, so it can miss an account that is new. */
  private Optional<AccountBody> author(Viewer viewer, String authorId) {
    if (viewer.userId().equals(authorId)) {
      return viewer.account().map(accounts::body);
    }
    return Optional.ofNullable(accounts.byId(Set.of(authorId)).get(authorId))
        .or(() -> accounts.stored(authorId));
  }

  /**
   * Returns a post of the caller.
   *
   * @throws ProblemException {@code not_found}, also for a post by another account
   */
  Post own(Viewer viewer, String postId) {
    return posts
        .get(postId)
        .filter(post -> isAuthor(viewer, post))
        .orElseThrow(PostAccess::missing);
  }

  static ProblemException missing() {
    return new ProblemException(ProblemCode.NOT_FOUND, "There is no such post");
  }

  private boolean isVisible(Viewer viewer, Post post) {
    boolean isAuthor = isAuthor(viewer, post);
    boolean needsEdge = post.visibility() == Visibility.FOLLOWERS && !isAuthor;
    return post.visibility()
        .allows(isAuthor, needsEdge && follows.get(viewer.userId(), post.authorId()).isPresent());
  }

  private static boolean isAuthor(Viewer viewer, Post post) {
    return viewer.userId().equals(post.authorId());
  }
}
