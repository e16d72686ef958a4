package social.feed.api.post;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import social.feed.api.edge.security.Viewer;
import social.feed.api.graph.FolloweeCache;
import social.feed.api.media.MediaAddresses;
import social.feed.api.post.HydratedPosts.Rules;
import social.feed.api.user.AccountBody;
import social.feed.api.user.AccountCache;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.post.Posts;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Post;
import social.feed.table.row.PostRef;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Visibility;

/**
 * Reads what a page of posts needs, with one batch call for each kind of row. A batch leaves out
 * the posts that earlier batches ruled out.
 *
 * <p>Posts and accounts are eventually consistent and may be as old as {@link PostCache} allows, so
 * a post that was just deleted or hidden may still be shown as it was; not so in searches. So are
 * likes, but for those that this process wrote. Follow edges and the caller's blocks and mutes are
 * strongly consistent.
 *
 * <p>A post costs half a read unit, and its author half a unit; all callers share both while they
 * are fresh. {@link OwnLikes} states the cost of the caller's likes. {@link FolloweeCache} states
 * the cost of the follow.
 */
@Singleton
public final class PostHydration {
  private final PostCache posts;
  private final Posts current;
  private final OwnLikes likes;
  private final FolloweeCache followees;
  private final RetainedPostsStore retained;
  private final AccountCache accounts;
  private final MediaAddresses addresses;

  PostHydration(
      PostCache posts,
      Posts current,
      OwnLikes likes,
      FolloweeCache followees,
      RetainedPostsStore retained,
      AccountCache accounts,
      MediaAddresses addresses) {
    this.posts = posts;
    this.current = current;
    this.likes = likes;
    this.followees = followees;
    this.retained = retained;
    this.accounts = accounts;
    this.addresses = addresses;
  }

  /**
   * Hydrates a list of posts by author or tag. The reference contains the visibility, so a hidden
   * post is not read.
   */
  public HydratedPosts ofList(Viewer viewer, List<PostRef> references) {
    Rules rules =
        rules(
            viewer,
            map(references, PostRef::authorId),
            references.stream()
                .filter(reference -> reference.visibility() == Visibility.FOLLOWERS)
                .map(PostRef::authorId));
    Map<String, Post> found =
        posts.getAll(
            references.stream()
                .filter(reference -> rules.mayRead(reference.authorId(), reference.visibility()))
                .map(PostRef::postId)
                .toList());
    return hydrated(viewer, rules, found, rules::mayRead);
  }

  /** Hydrates posts of which only the ids are known. Every post is read before the rules decide. */
  public HydratedPosts ofIds(Viewer viewer, List<String> postIds) {
    Map<String, Post> found = posts.getAll(Set.copyOf(postIds));
    Rules rules =
        rules(
            viewer,
            found.values().stream().map(Post::authorId).toList(),
            found.values().stream()
                .filter(post -> post.visibility() == Visibility.FOLLOWERS)
                .map(Post::authorId));
    return hydrated(viewer, rules, found, rules::mayRead);
  }

  /**
   * Hydrates what a search found. Posts and authors are strongly consistent and never from a cache,
   * so what was deleted or hidden before the request, or whose author was erased, is not shown,
   * however late the index is. One read unit for each post, and one for each author of those that
   * the caller may see.
   */
  public HydratedPosts ofFound(Viewer viewer, List<String> postIds) {
    Map<String, Post> found = current.getAll(Set.copyOf(postIds), true);
    Rules rules =
        rules(viewer, found.values().stream().map(Post::authorId).toList(), Stream.empty());
    List<Post> visible =
        found.values().stream()
            .filter(post -> post.visibility() == Visibility.PUBLIC && rules.mayRead(post))
            .toList();
    return hydrated(viewer, rules, found, visible, accounts::current);
  }

  /**
   * Hydrates a home feed. An entry can outlive the follow that it came from. It counts only while
   * the caller follows the author, is the author, or kept the posts when unfollowing, and never
   * while a block or mute hides the author. Retained posts are read only for authors that the
   * caller does not follow.
   */
  public HydratedPosts ofFeed(Viewer viewer, List<FeedRef> references) {
    // Read first: it says whether blocks and mutes must be read.
    viewer.quota();
    Set<String> silenced = viewer.relations().silenced(map(references, FeedRef::authorId));
    Map<String, Post> found =
        posts.getAll(
            references.stream()
                .filter(reference -> !silenced.contains(reference.authorId()))
                .map(FeedRef::postId)
                .toList());
    Set<String> followed = followed(viewer, found.values().stream().map(Post::authorId));
    Set<String> others =
        found.values().stream()
            .map(Post::authorId)
            .filter(author -> !viewer.userId().equals(author) && !followed.contains(author))
            .collect(toSet());
    Map<String, RetainedPosts> kept =
        retained.of(viewer.userId(), others).stream()
            .collect(toMap(RetainedPosts::authorId, Function.identity()));
    Rules rules = new Rules(viewer.userId(), silenced, followed, kept);
    return hydrated(viewer, rules, found, post -> rules.isEntitled(post) && rules.mayRead(post));
  }

  /** Returns the rules of a list. Follow edges matter only for posts that followers may see. */
  private Rules rules(Viewer viewer, List<String> authors, Stream<String> authorsForFollowers) {
    Set<String> separated = viewer.relations().separated(authors);
    Set<String> followed =
        followed(viewer, authorsForFollowers.filter(author -> !separated.contains(author)));
    return new Rules(viewer.userId(), separated, followed, Map.of());
  }

  private HydratedPosts hydrated(
      Viewer viewer, Rules rules, Map<String, Post> found, Predicate<Post> isVisible) {
    List<Post> visible = found.values().stream().filter(isVisible).toList();
    return hydrated(viewer, rules, found, visible, accounts::byId);
  }

  private HydratedPosts hydrated(
      Viewer viewer,
      Rules rules,
      Map<String, Post> found,
      List<Post> visible,
      Function<Collection<String>, Map<String, AccountBody>> authorsOf) {
    Set<String> liked = likes.among(viewer.userId(), visible);
    Map<String, AccountBody> authors = authorsOf.apply(map(visible, Post::authorId));
    return new HydratedPosts(rules, found, authors, liked, addresses);
  }

  private Set<String> followed(Viewer viewer, Stream<String> authorIds) {
    Collection<String> others =
        authorIds.filter(author -> !viewer.userId().equals(author)).collect(toSet());
    return followees.among(viewer, others);
  }

  private static <R> List<String> map(List<R> references, Function<R, String> id) {
    return references.stream().map(id).toList();
  }
}
