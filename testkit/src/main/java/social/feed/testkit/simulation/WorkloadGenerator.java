package social.feed.testkit.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Comment;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * Chooses the users' actions at random. Each history has its own weights, so that some actions are
 * frequent in one history and rare in another.
 */
final class WorkloadGenerator {
  private static final int[] WEIGHT_FACTORS = {0, 1, 1, 4};
  private static final int EXTRA = 20;
  private static final int MIN_USERS = 3;
  private final SimulatedUsers users;
  private final RandomGenerator random;
  private final HistoryLog log;

  /**
   * Whether all comments and likes concern the newest post, so that one batch changes one counter
   * many times.
   */
  private final boolean hasHotPost;

  private final HistoryFocus focus;

  private final List<Action> all = new ArrayList<>();
  private final List<Post> posts = new ArrayList<>();
  private final List<Comment> comments = new ArrayList<>();

  /** The erasure requests that have not returned. */
  private int erasuresInProgress;

  private enum Action {
    POST(4),
    FOLLOW(5),
    UNFOLLOW(2),
    UNFOLLOW_KEEPING(1),
    DELETE(1),
    COMMENT(2),
    DELETE_COMMENT(1),
    LIKE(3),
    UNLIKE(1),
    CHANGE_VISIBILITY(2),
    BLOCK(1),
    UNBLOCK(1),
    MUTE(1),
    UNMUTE(1),
    FOLLOW_SPECIALLY(4),
    UNFOLLOW_SPECIALLY(1),
    READ(1);

    private final int weight;

    Action(int weight) {
      this.weight = weight;
    }
  }

  /** Focuses whose users follow each other from the start. */
  private static final Set<HistoryFocus> FOLLOWING_AT_START =
      EnumSet.of(
          HistoryFocus.UNFOLLOW_DURING_DELIVERY,
          HistoryFocus.FOLLOW_DURING_REMOVAL,
          HistoryFocus.CELEBRITIES,
          HistoryFocus.RACES);

  /** Actions that write a follow quota or conflict with such a write. */
  private static final List<Action> GRAPH_ACTIONS =
      List.of(
          Action.FOLLOW,
          Action.FOLLOW,
          Action.UNFOLLOW,
          Action.UNFOLLOW_KEEPING,
          Action.BLOCK,
          Action.UNBLOCK);

  WorkloadGenerator(
      SimulatedUsers users, RandomGenerator random, HistoryLog log, FaultProfile profile) {
    this.log = log;
    this.users = users;
    this.random = random;
    this.focus = profile.focus();
    this.hasHotPost = profile.hasHotPost();
    for (var action : Action.values()) {
      int times = action.weight * WEIGHT_FACTORS[random.nextInt(WEIGHT_FACTORS.length)];
      all.addAll(Collections.nCopies(Math.max(1, times), action));
    }
    switch (focus) {
      case UNFOLLOW_DURING_DELIVERY -> all.addAll(Collections.nCopies(EXTRA, Action.POST));
      case FOLLOW_DURING_REMOVAL -> {
        all.addAll(Collections.nCopies(EXTRA, Action.POST));
        all.addAll(Collections.nCopies(EXTRA / 2, Action.UNFOLLOW));
        all.addAll(Collections.nCopies(EXTRA / 2, Action.CHANGE_VISIBILITY));
        all.addAll(Collections.nCopies(EXTRA / 2, Action.FOLLOW));
      }
      case CELEBRITIES -> {
        all.addAll(Collections.nCopies(EXTRA, Action.POST));
        all.addAll(Collections.nCopies(EXTRA / 2, Action.FOLLOW));
        all.addAll(Collections.nCopies(EXTRA / 2, Action.UNFOLLOW));
      }
      case RACES -> {
        all.addAll(Collections.nCopies(EXTRA, Action.POST));
        all.addAll(Collections.nCopies(EXTRA / 2, Action.FOLLOW));
      }
      default -> {}
    }
    if (hasHotPost) {
      all.addAll(Collections.nCopies(EXTRA, Action.COMMENT));
      all.addAll(Collections.nCopies(EXTRA, Action.LIKE));
    }
  }

  /**
   * Creates random special follows between all users, for focuses that concern leaving readers or
   * audience sizes.
   */
  void followInitially() {
    if (FOLLOWING_AT_START.contains(focus)) {
      for (var user : users.ids()) {
        users.ids().stream()
            .filter(other -> !other.equals(user) && random.nextBoolean())
            .forEach(other -> followSpecially(user, other));
      }
    }
  }

  void act() {
    var user = any(users.ids());
    var action = any(all);
    log.add(() -> user + ": " + action);
    log.nested(() -> act(user, action));
  }

  /**
   * Erases a random user.
   *
   * @return the user's id; empty where too few users are left
   */
  Optional<String> eraseOne() {
    if (users.ids().size() - erasuresInProgress <= MIN_USERS) {
      return Optional.empty();
    }
    var user = any(users.ids());
    log.add(() -> user + ": ERASE");
    erasuresInProgress++;
    try {
      return log.nested(
          () -> {
            users.erases(user);
            return Optional.of(user);
          });
    } finally {
      erasuresInProgress--;
    }
  }

  /**
   * Lets a user whom a request concerns change the graph concurrently, as from another device.
   *
   * @return the user's id
   */
  String changeGraph(DynamoDbRequest request) {
    var keys = String.join(" ", HistoryLog.keys(request).toList());
    var concerned = users.ids().stream().filter(keys::contains).toList();
    var user = any(concerned.isEmpty() ? users.ids() : concerned);
    var action = any(GRAPH_ACTIONS);
    log.add(() -> user + ": " + action);
    log.nested(() -> act(user, action));
    return user;
  }

  private Action act(String user, Action action) {
    switch (action) {
      case POST -> posts.add(users.posts(user, visibility(), any(users.ids())));
      case FOLLOW -> actOnOther(user, users::follows);
      case UNFOLLOW -> users.unfollows(user, popularUser());
      case UNFOLLOW_KEEPING -> users.unfollowsKeeping(user, popularUser());
      case DELETE -> delete();
      case COMMENT -> comment(user);
      case DELETE_COMMENT -> deleteComment();
      case LIKE -> like(user);
      case UNLIKE -> unlike(user);
      case CHANGE_VISIBILITY -> changeVisibility();
      case BLOCK -> actOnOther(user, users::blocks);
      case UNBLOCK -> users.unblocks(user, popularUser());
      case MUTE -> actOnOther(user, users::mutes);
      case UNMUTE -> users.unmutes(user, popularUser());
      case FOLLOW_SPECIALLY -> actOnOther(user, this::followSpecially);
      case UNFOLLOW_SPECIALLY -> users.unfollowsSpecially(user, popularUser());
      case READ -> {
        users.readsHomeFeed(user);
        users.readsNewestNotification(user);
      }
    }
    return action;
  }

  /**
   * Changes something that a request reads or writes: an edge, a post, or the cause of a delivery.
   *
   * @return whether the request concerns such a thing
   */
  boolean changeConcerned(DynamoDbRequest request) {
    var delivered = written(request).flatMap(WorkloadGenerator::delivery).toList();
    if (!delivered.isEmpty()) {
      var one = any(delivered);
      if (random.nextInt(4) > 0) {
        users.unfollows(one.readerId(), one.authorId());
      }
      if (random.nextBoolean()) {
        change(one.postId());
      }
      return true;
    }
    var keys = HistoryLog.keys(request).toList();
    var changes = new ArrayList<Runnable>();
    for (var post : posts) {
      if (keys.stream().anyMatch(key -> key.contains(Keys.post(post.postId())))) {
        changes.add(() -> change(post.postId()));
      }
    }
    for (var author : users.ids()) {
      if (keys.stream().anyMatch(key -> key.contains(Keys.followee(author)))) {
        var named =
            users.ids().stream()
                .filter(
                    reader -> keys.stream().anyMatch(key -> key.contains(Keys.follower(reader))))
                .toList();
        var reader = any(named.isEmpty() ? users.ids() : named);
        if (!reader.equals(author)) {
          changes.add(() -> changeEdge(reader, author));
        }
      }
    }
    if (changes.isEmpty()) {
      return false;
    }
    any(changes).run();
    return true;
  }

  private void changeEdge(String reader, String author) {
    switch (random.nextInt(4)) {
      case 0 -> users.follows(reader, author);
      case 1 -> followSpecially(reader, author);
      default -> users.unfollows(reader, author);
    }
  }

  /** Makes a post one for followers, hides or shows it, or deletes it. */
  private void change(String postId) {
    posts.stream()
        .filter(post -> post.postId().equals(postId))
        .findFirst()
        .ifPresent(
            post -> {
              switch (random.nextInt(6)) {
                case 0 -> users.deletes(post);
                case 1 -> hide(post);
                case 2 -> users.changesVisibility(post, Visibility.PUBLIC);
                default -> users.changesVisibility(post, Visibility.FOLLOWERS);
              }
            });
  }

  private static Stream<Row> written(DynamoDbRequest request) {
    return switch (request) {
      case BatchWriteItemRequest batch ->
          batch.requestItems().values().stream()
              .flatMap(List::stream)
              .filter(write -> write.putRequest() != null)
              .map(write -> RowCodec.decode(write.putRequest().item()));
      case PutItemRequest put -> Stream.of(RowCodec.decode(put.item()));
      default -> Stream.empty();
    };
  }

  /**
   * Reverts the cause of a delivery: the reader unfollows the author, or the post is deleted or
   * hidden.
   *
   * @return whether the request delivers a post to another user
   */
  boolean undoCause(DynamoDbRequest request) {
    var written =
        request instanceof BatchWriteItemRequest batch
            ? batch.requestItems().values().stream()
                .flatMap(List::stream)
                .filter(write -> write.putRequest() != null)
                .map(write -> RowCodec.decode(write.putRequest().item()))
                .flatMap(WorkloadGenerator::delivery)
                .toList()
            : List.<Delivered>of();
    if (written.isEmpty()) {
      return false;
    }
    undo(any(written));
    return true;
  }

  /** A delivery of a post to a reader other than its author. */
  private record Delivered(String postId, String readerId, String authorId) {}

  private static Stream<Delivered> delivery(Row row) {
    return switch (row) {
      case FeedEntry entry when !entry.readerId().equals(entry.authorId()) ->
          Stream.of(new Delivered(entry.postId(), entry.readerId(), entry.authorId()));
      case PostNotification notification ->
          Stream.of(
              new Delivered(
                  notification.postId(), notification.readerId(), notification.authorId()));
      case Notification notification
          when notification.postId() != null
              && (notification.type() == NotificationType.MENTION
                  || notification.type() == NotificationType.POST) ->
          Stream.of(
              new Delivered(notification.postId(), notification.userId(), notification.actorId()));
      default -> Stream.empty();
    };
  }

  private void undo(Delivered delivered) {
    if (random.nextInt(4) > 0) {
      users.unfollows(delivered.readerId(), delivered.authorId());
    } else {
      posts.stream()
          .filter(post -> post.postId().equals(delivered.postId()))
          .findFirst()
          .ifPresent(random.nextBoolean() ? users::deletes : this::hide);
    }
  }

  /**
   * Restores the cause of a delivery that a request takes back: the reader follows the author
   * again, or the post is shown again.
   *
   * @return whether the request removes a feed entry of another user's post
   */
  boolean redoCause(DynamoDbRequest request) {
    var withdrawn =
        request instanceof BatchWriteItemRequest batch
            ? batch.requestItems().values().stream()
                .flatMap(List::stream)
                .filter(write -> write.deleteRequest() != null)
                .map(write -> KeyAttributes.key(write.deleteRequest().key()))
                .flatMap(this::withdrawal)
                .toList()
            : List.<Delivered>of();
    if (withdrawn.isEmpty()) {
      return false;
    }
    redo(any(withdrawn));
    return true;
  }

  private Stream<Delivered> withdrawal(Key entry) {
    return posts.stream()
        .filter(post -> ReferenceModel.isEntryOf(post, entry))
        .flatMap(
            post ->
                users.ids().stream()
                    .filter(id -> Keys.feed(id).equals(entry.sort()))
                    .filter(id -> !id.equals(post.authorId()))
                    .map(id -> new Delivered(post.postId(), id, post.authorId())));
  }

  private void redo(Delivered withdrawn) {
    users.follows(withdrawn.readerId(), withdrawn.authorId());
    if (random.nextBoolean()) {
      posts.stream()
          .filter(post -> post.postId().equals(withdrawn.postId()))
          .findFirst()
          .ifPresent(post -> users.changesVisibility(post, Visibility.PUBLIC));
    }
  }

  private void hide(Post post) {
    users.changesVisibility(post, Visibility.PRIVATE);
  }

  private Visibility visibility() {
    if (focus == HistoryFocus.RACES) {
      return random.nextBoolean() ? Visibility.FOLLOWERS : Visibility.PUBLIC;
    }
    return switch (random.nextInt(5)) {
      case 0 -> Visibility.PRIVATE;
      case 1 -> Visibility.FOLLOWERS;
      default -> Visibility.PUBLIC;
    };
  }

  private Visibility hiddenOrNot() {
    return random.nextBoolean() ? Visibility.PRIVATE : Visibility.PUBLIC;
  }

  private void actOnOther(String user, BiConsumer<String, String> action) {
    var other = popularUser();
    if (!other.equals(user)) {
      action.accept(user, other);
    }
  }

  private void followSpecially(String user, String other) {
    users.follows(user, other);
    users.followsSpecially(user, other);
  }

  private void changeVisibility() {
    if (!posts.isEmpty()) {
      users.changesVisibility(
          recentPost(), focus == HistoryFocus.FOLLOW_DURING_REMOVAL ? hiddenOrNot() : visibility());
    }
  }

  /**
   * Returns one of the first two users half the time, so that actions concentrate on the same
   * users.
   */
  private String popularUser() {
    return random.nextBoolean() ? users.ids().get(random.nextInt(2)) : any(users.ids());
  }

  /** Deletes a post and keeps it in the list, so that later actions can like it too late. */
  private void delete() {
    if (!posts.isEmpty()) {
      users.deletes(any(posts));
    }
  }

  private void like(String user) {
    if (!posts.isEmpty()) {
      users.likes(user, recentPost());
    }
  }

  private void unlike(String user) {
    if (!posts.isEmpty()) {
      users.unlikes(user, recentPost());
    }
  }

  private void comment(String user) {
    if (!posts.isEmpty()) {
      comments.add(users.comments(user, recentPost()));
    }
  }

  private void deleteComment() {
    if (!comments.isEmpty()) {
      users.deletesComment(any(comments));
    }
  }

  private Post recentPost() {
    if (hasHotPost) {
      return posts.getLast();
    }
    int from = Math.max(0, posts.size() - 3);
    return random.nextBoolean() ? any(posts) : any(posts.subList(from, posts.size()));
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
