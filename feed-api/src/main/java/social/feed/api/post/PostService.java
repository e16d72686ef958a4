package social.feed.api.post;

import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.InstantSource;
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
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.rate.DeliveryLimit;
import social.feed.api.edge.security.Viewer;
import social.feed.api.media.MediaAddresses;
import social.feed.api.user.AccountBody;
import social.feed.api.user.AccountLookup;
import social.feed.table.media.MediaFiles;
import social.feed.table.post.PostText;
import social.feed.table.post.Posts;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Mention;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.table.user.Users;

/**
 * Reads, writes and deletes single posts. Counts, tag rows, feeds and notifications follow from the
 * stream.
 */
@Singleton
final class PostService {
  private final Posts posts;
  private final PostAccess access;
  private final OwnLikes likes;
  private final Users users;
  private final AccountLookup accounts;
  private final LimitsConfiguration limits;
  private final DeliveryLimit deliveries;
  private final SpecialAudiences special;
  private final PostFiles files;
  private final MediaAddresses addresses;
  private final InstantSource clock;

  PostService(
      Posts posts,
      PostAccess access,
      OwnLikes likes,
      Users users,
      AccountLookup accounts,
      LimitsConfiguration limits,
      DeliveryLimit deliveries,
      SpecialAudiences special,
      PostFiles files,
      MediaAddresses addresses,
      InstantSource clock) {
    this.posts = posts;
    this.access = access;
    this.likes = likes;
    this.users = users;
    this.accounts = accounts;
    this.limits = limits;
    this.deliveries = deliveries;
    this.special = special;
    this.files = files;
    this.addresses = addresses;
    this.clock = clock;
  }

  /**
   * Returns a post. The post is strongly consistent; {@link PostAccess} and {@link OwnLikes} say
   * what the rest is. Three read units, half a one less while the author is fresh or is the caller,
   * and one more for a post to followers.
   */
  PostBody get(Viewer viewer, String postId) {
    PostAccess.Authored found = access.authored(viewer, postId);
    return body(viewer, found.post(), found.author());
  }

  /**
   * Prepares a new post. One read unit, half a unit for each handle, and one more where an account
   * has one of the handles. Writing it costs two write units. With files one read unit more for
   * each, and three write units and three for each.
   *
   * @throws ProblemException {@code rate_limited} by {@link DeliveryLimit}, {@code
   *     media_not_usable}
   */
  PendingCreation draft(Viewer viewer, PostRequest request, NewResource resource) {
    User caller = accounts.caller(viewer);
    AccountBody author = AccountBody.of(caller, addresses);
    Post post = post(viewer, caller, request, resource);
    if (post.visibility() == Visibility.PRIVATE) {
      deliveries.chargePrivate(caller);
    } else {
      deliveries.chargeDelivery(post.delivery(), caller, special.of(caller));
    }
    return new PendingCreation(
        created(post, author),
        List.of(post),
        List.of(),
        transaction -> MediaFiles.showing(transaction, post),
        () -> created(written(post), author));
  }

  /**
   * Changes who may read a post of the caller. Two and a half read units and two write units; three
   * between public and for followers, and none where nothing changes.
   *
   * @throws ProblemException {@code rate_limited} by {@link DeliveryLimit}
   */
  PostBody change(Viewer viewer, String postId, PostChangeRequest request) {
    User caller = accounts.caller(viewer);
    var visibility = PostVisibility.stored(request.visibility());
    Post before =
        posts
            .get(postId)
            .filter(post -> post.authorId().equals(viewer.userId()))
            .orElseThrow(PostAccess::missing);
    // Nothing is delivered, so nothing is charged.
    if (before.visibility() == visibility) {
      return body(viewer, before, AccountBody.of(caller, addresses));
    }
    if (visibility == Visibility.PRIVATE) {
      deliveries.chargeWithdrawal(before.delivery(), caller, special.of(caller));
    } else {
      deliveries.chargeDelivery(before.delivery(), caller, special.of(caller));
    }
    Post changed =
        posts
            .changeVisibility(postId, viewer.userId(), visibility)
            .orElseThrow(PostAccess::missing);
    return body(viewer, changed, AccountBody.of(caller, addresses));
  }

  private Post written(Post post) {
    if (post.files().isEmpty()) {
      return posts.create(post).orElse(post);
    }
    files.write(post);
    return post;
  }

  private PostBody body(Viewer viewer, Post post, AccountBody author) {
    return PostBody.of(post, author, likes.has(viewer.userId(), post), addresses);
  }

  /**
   * Deletes a post of the caller. Two read units and seven write units. It is charged before, so
   * that concurrent deletions do not pass together, and also where there is no such post.
   *
   * @throws ProblemException {@code rate_limited} by {@link DeliveryLimit}
   */
  void delete(Viewer viewer, String postId) {
    User caller = accounts.caller(viewer);
    deliveries.chargeWithdrawal(FanOutMode.of(caller), caller, special.of(caller));
    switch (posts.delete(postId, viewer.userId(), clock.instant())) {
      case DELETED -> {}
      case ABSENT, NOT_YOURS -> throw PostAccess.missing();
    }
  }

  private Created created(Post post, AccountBody author) {
    return new Created(HttpStatus.CREATED, PostBody.asCreated(post, author, addresses));
  }

  private Post post(Viewer viewer, User author, PostRequest request, NewResource resource) {
    Post post =
        new Post(
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
    return post.showing(files.of(viewer, request.media()));
  }

  /** A handle stays plain text where no account has it, or a block separates the account. */
  private List<Mention> mentions(Viewer viewer, Collection<String> handles) {
    Collection<HandleClaim> claims = users.claims(handles);
    Set<String> separated =
        viewer.relations().separated(claims.stream().map(HandleClaim::userId).toList());
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
