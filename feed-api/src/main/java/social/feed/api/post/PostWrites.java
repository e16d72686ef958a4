package social.feed.api.post;

import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.api.edge.dynamodb.LimitsConfiguration;
import social.feed.api.edge.idempotency.Created;
import social.feed.api.edge.idempotency.NewResource;
import social.feed.api.edge.idempotency.PendingCreation;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountBody;
import social.feed.api.user.AccountLookup;
import social.feed.table.post.PostText;
import social.feed.table.post.Posts;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Mention;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/** Writes and deletes posts. Counts, tag rows, feeds and notifications follow behind the stream. */
@Singleton
final class PostWrites {
  private final Posts posts;
  private final Users users;
  private final AccountLookup members;
  private final LimitsConfiguration limits;

  PostWrites(Posts posts, Users users, AccountLookup members, LimitsConfiguration limits) {
    this.posts = posts;
    this.users = users;
    this.members = members;
    this.limits = limits;
  }

  /**
   * One read unit, half of one for each handle, one more where somebody has one of them, and two
   * write units when it is written.
   */
  PendingCreation draft(Viewer viewer, PostRequest request, NewResource resource) {
    User caller = members.caller(viewer);
    AccountBody author = AccountBody.of(caller);
    Post post = post(viewer, caller, request, resource);
    return new PendingCreation(
        created(post, author),
        List.of(post),
        () -> created(posts.create(post).orElse(post), author));
  }

  /** One read unit and two write units. */
  Post change(Viewer viewer, String postId, PostChangeRequest request) {
    members.caller(viewer);
    return posts
        .changeVisibility(postId, viewer.userId(), PostVisibility.stored(request.visibility()))
        .orElseThrow(PostAccess::missing);
  }

  /** One read unit and two write units. */
  void delete(Viewer viewer, String postId) {
    members.caller(viewer);
    switch (posts.delete(postId, viewer.userId())) {
      case DELETED -> {}
      case ABSENT, NOT_YOURS -> throw PostAccess.missing();
    }
  }

  private static Created created(Post post, AccountBody author) {
    return new Created(HttpStatus.CREATED, PostBody.asCreated(post, author));
  }

  private Post post(Viewer viewer, User author, PostRequest request, NewResource resource) {
    return new Post(
        resource.id(),
        author.userId(),
        request.text(),
        PostText.tags(request.text()),
        mentions(viewer, PostText.handles(request.text())),
        PostVisibility.stored(request.visibility()),
        request.mediaRef(),
        resource.createdAt(),
        limits.feedShards(),
        FanOutMode.of(author),
        0,
        0,
        Map.of());
  }

  /** Handles stay plain text that nobody has, or somebody whom a block keeps away. */
  private List<Mention> mentions(Viewer viewer, Collection<String> handles) {
    Collection<HandleClaim> claims = users.claims(handles);
    Set<String> separated =
        viewer.boundary().separated(claims.stream().map(HandleClaim::userId).toList());
    Map<String, String> idOf =
        claims.stream()
            .filter(claim -> !separated.contains(claim.userId()))
            .collect(Collectors.toMap(claim -> lower(claim.handle()), HandleClaim::userId));
    return handles.stream()
        .filter(handle -> idOf.containsKey(lower(handle)))
        .map(handle -> new Mention(handle, Objects.requireNonNull(idOf.get(lower(handle)))))
        .toList();
  }

  private static String lower(String handle) {
    return handle.toLowerCase(Locale.ROOT);
  }
}
