package social.feed.api.post;

import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.security.Viewer;
import social.feed.api.graph.FolloweeCache;
import social.feed.api.user.AccountCache;
import social.feed.table.engagement.Likes;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.home.FeedView;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Post;
import social.feed.table.row.PostRef;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Visibility;

/**
 * Turns references of posts into posts, as far as the caller may see them, with a batch call for
 * each kind of row and none in a loop. A post: half a read unit for it, half for its author, both
 * shared by all callers while they are fresh; one for the caller's like; and what {@link
 * FolloweeCache} takes for the author.
 *
 * <p>Posts are read eventually consistent and may be as old as {@link PostCache} has it, so what
 * was deleted or hidden just before may still be shown as it was. Follow edges are as they are, and
 * so are the caller's blocks and mutes, read once a request.
 */
@Singleton
public final class PostHydration {
  private final PostCache posts;
  private final Likes likes;
  private final FolloweeCache followings;
  private final RetainedPostsStore kept;
  private final AccountCache accounts;

  PostHydration(
      PostCache posts,
      Likes likes,
      FolloweeCache followings,
      RetainedPostsStore kept,
      AccountCache accounts) {
    this.posts = posts;
    this.likes = likes;
    this.followings = followings;
    this.kept = kept;
    this.accounts = accounts;
  }

  /**
   * For lists of posts by author or tag. The reference knows the visibility, so what is hidden is
   * not read; where the index lags behind, the post itself decides.
   */
  public List<Positioned<PostBody>> ofList(Viewer viewer, List<Positioned<PostRef>> all) {
    List<Positioned<PostRef>> stored =
        without(viewer.boundary().separated(ids(all, PostRef::authorId)), all, PostRef::authorId);
    Set<String> followed =
        followed(
            viewer,
            stored.stream()
                .map(Positioned::item)
                .filter(ref -> ref.visibility() == Visibility.FOLLOWERS)
                .map(PostRef::authorId));
    List<Positioned<PostRef>> visible =
        stored.stream().filter(slot -> isVisible(viewer, slot.item(), followed)).toList();
    Map<String, Post> found = find(visible, PostRef::postId);
    return dress(
        viewer,
        join(visible, ref -> found.get(ref.postId()), _ -> true).stream()
            .filter(slot -> isVisible(viewer, slot.item(), followed))
            .toList());
  }

  /**
   * For home feeds. An entry can outlive what it came from, so it counts only while the caller
   * follows the author, is the author, or kept the history when unfollowing, and never while a
   * block or mute keeps the author away.
   *
   * @param explained the feed, where each post is to say why it is there
   */
  public List<Positioned<PostBody>> ofFeed(
      Viewer viewer, List<Positioned<FeedRef>> all, Optional<FeedView> explained) {
    List<Positioned<FeedRef>> stored =
        without(viewer.boundary().silenced(ids(all, FeedRef::authorId)), all, FeedRef::authorId);
    Map<String, Post> found = find(stored, FeedRef::postId);
    Set<String> followed = followed(viewer, found.values().stream().map(Post::authorId));
    List<Positioned<PostBody>> shown = ofFeed(viewer, stored, found, followed);
    return explained
        .map(view -> shown.stream().map(slot -> explained(view, slot, found, followed)).toList())
        .orElse(shown);
  }

  private static Positioned<PostBody> explained(
      FeedView view, Positioned<PostBody> slot, Map<String, Post> found, Set<String> followed) {
    Post post = Objects.requireNonNull(found.get(slot.item().id()));
    return slot.with(
        slot.item().explained(FeedExplanation.of(view, post, followed.contains(post.authorId()))));
  }

  private List<Positioned<PostBody>> ofFeed(
      Viewer viewer,
      List<Positioned<FeedRef>> stored,
      Map<String, Post> found,
      Set<String> followed) {
    return dress(
        viewer,
        join(stored, ref -> found.get(ref.postId()), counts(viewer, stored, followed)).stream()
            .filter(slot -> isVisible(viewer, slot.item(), followed))
            .toList());
  }

  /** Kept histories are looked up only where there is an author whom the caller does not follow. */
  private Predicate<FeedRef> counts(
      Viewer viewer, List<Positioned<FeedRef>> stored, Set<String> followed) {
    Set<String> others =
        stored.stream()
            .map(slot -> slot.item().authorId())
            .filter(id -> !isAuthor(viewer, id) && !followed.contains(id))
            .collect(Collectors.toSet());
    Map<String, RetainedPosts> keeps =
        kept.of(viewer.userId(), others).stream()
            .collect(Collectors.toMap(RetainedPosts::authorId, Function.identity()));
    return ref ->
        !others.contains(ref.authorId())
            || (keeps.containsKey(ref.authorId())
                && keeps.get(ref.authorId()).covers(ref.createdAt()));
  }

  private Set<String> followed(Viewer viewer, Stream<String> authorIds) {
    Collection<String> others =
        authorIds.filter(id -> !isAuthor(viewer, id)).collect(Collectors.toSet());
    return followings.among(viewer.userId(), others);
  }

  private static <S> List<String> ids(List<Positioned<S>> slots, Function<S, String> author) {
    return slots.stream().map(Positioned::item).map(author).toList();
  }

  private static <S> List<Positioned<S>> without(
      Set<String> authors, List<Positioned<S>> slots, Function<S, String> author) {
    return slots.stream().filter(slot -> !authors.contains(author.apply(slot.item()))).toList();
  }

  private <S> Map<String, Post> find(List<Positioned<S>> slots, Function<S, String> postId) {
    return posts.getAll(slots.stream().map(Positioned::item).map(postId).toList());
  }

  private static <S> List<Positioned<Post>> join(
      List<Positioned<S>> slots, Function<S, @Nullable Post> find, Predicate<S> counts) {
    return slots.stream()
        .filter(slot -> counts.test(slot.item()))
        .<Positioned<Post>>mapMulti(
            (slot, out) -> {
              Post post = find.apply(slot.item());
              if (post != null) {
                out.accept(slot.with(post));
              }
            })
        .toList();
  }

  private List<Positioned<PostBody>> dress(Viewer viewer, List<Positioned<Post>> visible) {
    Set<String> liked =
        likes.likedBy(viewer.userId(), visible.stream().map(slot -> slot.item().postId()).toList());
    return accounts.dress(
        viewer,
        visible,
        Post::authorId,
        (post, author) -> PostBody.of(post, author, liked.contains(post.postId())));
  }

  private static boolean isVisible(Viewer viewer, PostRef ref, Set<String> followed) {
    return ref.visibility()
        .allows(isAuthor(viewer, ref.authorId()), followed.contains(ref.authorId()));
  }

  private static boolean isVisible(Viewer viewer, Post post, Set<String> followed) {
    return post.visibility()
        .allows(isAuthor(viewer, post.authorId()), followed.contains(post.authorId()));
  }

  private static boolean isAuthor(Viewer viewer, String authorId) {
    return viewer.userId().equals(authorId);
  }
}
