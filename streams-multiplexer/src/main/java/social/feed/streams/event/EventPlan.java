package social.feed.streams.event;

import static social.feed.event.EventType.AUTHOR_ID;
import static social.feed.event.EventType.COMMENT_CREATED;
import static social.feed.event.EventType.COMMENT_DELETED;
import static social.feed.event.EventType.COMMENT_ID;
import static social.feed.event.EventType.IS_CELEBRITY;
import static social.feed.event.EventType.IS_PUBLIC;
import static social.feed.event.EventType.LIKE_CREATED;
import static social.feed.event.EventType.LIKE_DELETED;
import static social.feed.event.EventType.NOTIFICATION_ID;
import static social.feed.event.EventType.POST_AUTHOR_ID;
import static social.feed.event.EventType.POST_ID;
import static social.feed.event.EventType.USER_ID;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.streams.change.Change;
import social.feed.table.row.Comment;
import social.feed.table.row.Follow;
import social.feed.table.row.Like;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import social.feed.table.row.Suspect;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/**
 * The registry of all events: which change of which row is which event, on one page. An event has
 * here only what its record says and what never stops being public; {@link EventContent} adds what
 * the row says when the event is published.
 */
public final class EventPlan {
  /** Seconds of ten digits last until the year 2286, and sequence numbers have up to 40. */
  private static final String VERSION = "%010d-%40s";

  /**
   * A last event of an entity has the version of a time so much later. The clock of a stream is
   * approximate, and where it steps back the deletion would seem older than what it deletes.
   */
  private static final Duration LAST = Duration.ofDays(1);

  /** What names the row, what happened to it, and when. */
  private record Source(Instant at, String sequence) {
    private String version(Instant time) {
      return VERSION.formatted(time.getEpochSecond(), sequence).replace(' ', '0');
    }

    DomainEvent event(
        EventType type, String entity, String actor, Map<String, ? extends Object> data) {
      return new DomainEvent(
          type, at, entity, version(versionTime(type)), actor, new TreeMap<>(data));
    }

    private Instant versionTime(EventType type) {
      return isLast(type) ? at.plus(LAST) : at;
    }
  }

  private EventPlan() {}

  /**
   * Returns the events of a change, at most two: an account may change its flag and its name.
   *
   * @param record the record of the change, for its time and its sequence number
   */
  public static List<DomainEvent> events(Change change, DynamodbStreamRecord record) {
    var source = source(record);
    return switch (change) {
      case Change.Inserted(var row) -> inserted(row, source);
      case Change.Modified(Post before, Post after) -> changed(before, after, source);
      case Change.Modified(User before, User after) -> changed(before, after, source);
      case Change.Modified(Suspect before, Suspect after) -> changed(before, after, source);
      case Change.Modified _ -> List.of();
      case Change.Removed(var row) -> removed(row, source);
      // Only notifications and bookkeeping expire.
      case Change.Expired _ -> List.of();
    };
  }

  /** Whether a record may have events. Any other record need not be read for them. */
  public static boolean concerns(DynamodbStreamRecord record) {
    var images = record.getDynamodb();
    var before = images.getOldImage();
    var after = images.getNewImage();
    var image = after == null ? before : after;
    var entity = image == null ? null : image.get(RowKind.ATTRIBUTE);
    if (entity == null || entity.getS() == null) {
      return false;
    }
    return switch (RowKind.named(entity.getS()).orElse(null)) {
      case COMMENT, LIKE, FOLLOW -> before == null || after == null;
      case POST -> isChanged(before, after, Set.of(Post.VISIBILITY));
      case USER ->
          isChanged(
              before,
              after,
              Set.of(
                  User.HANDLE,
                  User.DISPLAY_NAME,
                  User.BIO,
                  User.AVATAR,
                  User.BANNER,
                  User.IS_CELEBRITY));
      case NOTIFICATION -> before == null;
      case SUSPECT ->
          after != null && isChanged(before, after, Set.of(Suspect.SCORE, Suspect.DISMISSED_AT));
      case null, default -> false;
    };
  }

  /**
   * Whether rows of a kind may have events of this name in the stream, whatever has changed in
   * them. Of changes of rows, only those of posts, accounts and suspicions have any.
   *
   * @param event {@code INSERT}, {@code MODIFY} or {@code REMOVE}
   */
  public static boolean concerns(RowKind kind, String event) {
    return switch (kind) {
      case POST, USER -> true;
      case COMMENT, LIKE, FOLLOW -> !event.equals("MODIFY");
      case NOTIFICATION -> event.equals("INSERT");
      case SUSPECT -> !event.equals("REMOVE");
      default -> false;
    };
  }

  private static boolean isChanged(
      @Nullable Map<String, AttributeValue> before,
      @Nullable Map<String, AttributeValue> after,
      Set<String> attributes) {
    return before == null
        || after == null
        || attributes.stream().anyMatch(one -> !Objects.equals(before.get(one), after.get(one)));
  }

  private static Source source(DynamodbStreamRecord record) {
    var images = record.getDynamodb();
    var time = images.getApproximateCreationDateTime();
    var at =
        time == null ? Instant.EPOCH : Instant.ofEpochSecond(time.toInstant().getEpochSecond());
    var sequence = String.valueOf(images.getSequenceNumber());
    return new Source(at, sequence);
  }

  private static List<DomainEvent> inserted(Row row, Source source) {
    return switch (row) {
      case Post post when isPublic(post) -> List.of(of(post, EventType.POST_CREATED, source));
      case Comment comment -> List.of(of(comment, COMMENT_CREATED, source));
      case Like like -> List.of(of(like, LIKE_CREATED, source));
      case Follow edge -> List.of(of(edge, EventType.FOLLOW_CREATED, source));
      case User user -> List.of(of(user, EventType.ACCOUNT_REGISTERED, source));
      case Notification notification -> of(notification, source);
      case Suspect suspect -> List.of(of(suspect, source));
      default -> List.of();
    };
  }

  private static List<DomainEvent> removed(Row row, Source source) {
    return switch (row) {
      case Post post when isPublic(post) -> List.of(of(post, EventType.POST_DELETED, source));
      case Comment comment -> List.of(of(comment, COMMENT_DELETED, source));
      case Like like -> List.of(of(like, LIKE_DELETED, source));
      case Follow edge -> List.of(of(edge, EventType.FOLLOW_DELETED, source));
      case User user -> List.of(of(user, EventType.ACCOUNT_ERASED, source));
      default -> List.of();
    };
  }

  /** A change between followers and private concerns no one else. */
  private static List<DomainEvent> changed(Post before, Post after, Source source) {
    if (isPublic(before) == isPublic(after)) {
      return List.of();
    }
    var data = new TreeMap<String, Object>(named(after));
    data.put(IS_PUBLIC, isPublic(after));
    return List.of(
        source.event(EventType.POST_VISIBILITY_CHANGED, entity(after), after.authorId(), data));
  }

  private static List<DomainEvent> changed(User before, User after, Source source) {
    var events = new ArrayList<DomainEvent>();
    if (!before.handle().equals(after.handle())
        || !before.displayName().equals(after.displayName())
        || !Objects.equals(before.bio(), after.bio())
        || !Objects.equals(before.avatar(), after.avatar())
        || !Objects.equals(before.banner(), after.banner())) {
      events.add(of(after, EventType.ACCOUNT_CHANGED, source));
    }
    if (before.isCelebrity() != after.isCelebrity()) {
      events.add(
          source.event(
              EventType.CELEBRITY_CHANGED,
              entity(after),
              after.userId(),
              Map.of(
                  USER_ID,
                  after.userId(),
                  IS_CELEBRITY,
                  after.isCelebrity(),
                  "followers_count",
                  after.followersCount(),
                  "change",
                  after.celebrityVersion())));
    }
    return events;
  }

  /** A dismissal has no event. A higher score and a new listing have one. */
  private static List<DomainEvent> changed(Suspect before, Suspect after, Source source) {
    return after.isListed() && (!before.isListed() || after.score() > before.score())
        ? List.of(of(after, source))
        : List.of();
  }

  private static DomainEvent of(Suspect suspect, Source source) {
    return source.event(
        EventType.ACCOUNT_SUSPICIOUS,
        "suspicion:" + suspect.userId(),
        suspect.userId(),
        Map.of(
            USER_ID,
            suspect.userId(),
            "score",
            suspect.score(),
            "reasons",
            suspect.findings().stream()
                .map(finding -> finding.reason().name().toLowerCase(Locale.ROOT))
                .toList()));
  }

  private static DomainEvent of(Post post, EventType type, Source source) {
    return source.event(type, entity(post), post.authorId(), named(post));
  }

  private static Map<String, String> named(Post post) {
    return Map.of(POST_ID, post.postId(), AUTHOR_ID, post.authorId());
  }

  private static DomainEvent of(Comment comment, EventType type, Source source) {
    return source.event(
        type,
        "comment:" + comment.commentId(),
        comment.authorId(),
        Map.of(
            POST_ID,
            comment.postId(),
            COMMENT_ID,
            comment.commentId(),
            AUTHOR_ID,
            comment.authorId(),
            POST_AUTHOR_ID,
            comment.postAuthorId()));
  }

  private static DomainEvent of(Like like, EventType type, Source source) {
    return source.event(
        type,
        "like:" + like.postId() + ":" + like.userId(),
        like.userId(),
        Map.of(
            POST_ID, like.postId(), USER_ID, like.userId(), POST_AUTHOR_ID, like.postAuthorId()));
  }

  private static DomainEvent of(Follow edge, EventType type, Source source) {
    return source.event(
        type,
        "follow:" + edge.followerId() + ":" + edge.followeeId(),
        edge.followerId(),
        Map.of("follower_id", edge.followerId(), "followee_id", edge.followeeId()));
  }

  private static DomainEvent of(User user, EventType type, Source source) {
    return source.event(type, entity(user), user.userId(), Map.of(USER_ID, user.userId()));
  }

  /** That an author is specially followed is known to the follower only. */
  private static List<DomainEvent> of(Notification notification, Source source) {
    if (notification.type() == NotificationType.POST) {
      return List.of();
    }
    var data = new TreeMap<String, Object>();
    data.put(USER_ID, notification.userId());
    data.put(NOTIFICATION_ID, notification.notificationId());
    data.put("kind", notification.type().name().toLowerCase(Locale.ROOT));
    if (notification.postId() != null) {
      data.put(POST_ID, notification.postId());
    }
    return List.of(
        source.event(
            EventType.NOTIFICATION_CREATED,
            "notification:" + notification.userId() + ":" + notification.notificationId(),
            notification.actorId(),
            data));
  }

  private static String entity(Post post) {
    return "post:" + post.postId();
  }

  private static String entity(User user) {
    return "account:" + user.userId();
  }

  /**
   * Whether nothing follows for a day: ids of posts and comments never come back, and that of an
   * account stays taken for a month.
   */
  private static boolean isLast(EventType type) {
    return switch (type) {
      case POST_DELETED, COMMENT_DELETED, ACCOUNT_ERASED -> true;
      case POST_CREATED,
          POST_VISIBILITY_CHANGED,
          COMMENT_CREATED,
          LIKE_CREATED,
          LIKE_DELETED,
          FOLLOW_CREATED,
          FOLLOW_DELETED,
          ACCOUNT_REGISTERED,
          ACCOUNT_CHANGED,
          ACCOUNT_SUSPICIOUS,
          CELEBRITY_CHANGED,
          NOTIFICATION_CREATED,
          WEBHOOK_TEST ->
          false;
    };
  }

  private static boolean isPublic(Post post) {
    return post.visibility() == Visibility.PUBLIC;
  }
}
