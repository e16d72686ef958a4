package social.feed.streams.event;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Comment;
import social.feed.table.row.Key;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.Suspect;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/**
 * Adds to an event what everyone may read now. Rows are read strongly when the event is published,
 * however late that is: nothing is published that was deleted or made private before, or whose
 * account was erased. An erasure removes the profile first and the rest over hours, so each account
 * is read as well. At most four read units an event, and seven for a notification.
 */
public final class EventContent {
  private final Table table;
  private final BlocksAndMutes blocksAndMutes;
  private final Clock clock;

  /**
   * @param clock says which mutes and notifications have ended
   */
  public EventContent(Table table, Clock clock) {
    this.table = table;
    this.blocksAndMutes = new BlocksAndMutes(table, clock);
    this.clock = clock;
  }

  /**
   * Returns the event as it may be published.
   *
   * @return empty for what happened under a post that is deleted or not public, for a like or a
   *     comment of an account that is erased or under its post, for a suspicion that is no longer
   *     listed, and for a notification that its recipient no longer sees. What happens to a post
   *     itself is published in any case, then without its text
   */
  public Optional<DomainEvent> publishable(DomainEvent event) {
    return switch (event.type()) {
      case POST_CREATED -> Optional.of(withPost(event));
      case POST_VISIBILITY_CHANGED ->
          Optional.of(
              Boolean.TRUE.equals(event.data().get(EventType.IS_PUBLIC)) ? withPost(event) : event);
      case POST_DELETED, FOLLOW_CREATED, FOLLOW_DELETED, ACCOUNT_ERASED, WEBHOOK_TEST ->
          Optional.of(event);
      case COMMENT_CREATED -> comment(event);
      case LIKE_CREATED -> like(event);
      case COMMENT_DELETED, LIKE_DELETED ->
          Optional.of(event).filter(_ -> now(post(event)).isPublic(post(event)));
      case ACCOUNT_REGISTERED, ACCOUNT_CHANGED, CELEBRITY_CHANGED ->
          Optional.of(withAccount(event));
      case ACCOUNT_SUSPICIOUS -> Optional.of(event).filter(this::isListed);
      case NOTIFICATION_CREATED -> Optional.of(event).filter(this::isShown);
    };
  }

  private DomainEvent withPost(DomainEvent event) {
    var post = post(event);
    var author = account(event, EventType.AUTHOR_ID);
    var now = now(post, author);
    return now.isPublic(post) && now.has(author)
        ? now.get(post, Post.class)
            .map(found -> event.with(Map.of(Post.TAGS, found.tags(), EventType.TEXT, found.text())))
            .orElse(event)
        : event;
  }

  private Optional<DomainEvent> comment(DomainEvent event) {
    var post = post(event);
    var comment = Comment.key(text(event, EventType.POST_ID), text(event, EventType.COMMENT_ID));
    var author = account(event, EventType.AUTHOR_ID);
    var host = account(event, EventType.POST_AUTHOR_ID);
    var now = now(post, comment, author, host);
    return now.isPublic(post) && now.has(author) && now.has(host)
        ? Optional.of(
            now.get(comment, Comment.class)
                .map(found -> event.with(Map.of(EventType.TEXT, found.text())))
                .orElse(event))
        : Optional.empty();
  }

  private Optional<DomainEvent> like(DomainEvent event) {
    var post = post(event);
    var liker = account(event, EventType.USER_ID);
    var host = account(event, EventType.POST_AUTHOR_ID);
    var now = now(post, liker, host);
    return Optional.of(event).filter(_ -> now.isPublic(post) && now.has(liker) && now.has(host));
  }

  private DomainEvent withAccount(DomainEvent event) {
    var account = account(event, EventType.USER_ID);
    return now(account).get(account, User.class).map(user -> with(event, user)).orElse(event);
  }

  /** Each event of an account has all that is public of it: the last one stands for all. */
  private static DomainEvent with(DomainEvent event, User user) {
    var profile = new TreeMap<String, Object>();
    profile.put(EventType.IS_CELEBRITY, user.isCelebrity());
    profile.put(User.HANDLE, user.handle());
    profile.put(User.DISPLAY_NAME, user.displayName());
    if (user.bio() != null) {
      profile.put(User.BIO, user.bio());
    }
    // What the change itself says stays, also where the account has changed again.
    profile.putAll(event.data());
    return event.with(profile);
  }

  private boolean isListed(DomainEvent event) {
    var account = account(event, EventType.USER_ID);
    var suspicion = Suspect.key(text(event, EventType.USER_ID));
    var now = now(account, suspicion);
    return now.has(account)
        && now.get(suspicion, Suspect.class).filter(Suspect::isListed).isPresent();
  }

  /** Whether the recipient finds the notification in the list. */
  private boolean isShown(DomainEvent event) {
    var userId = text(event, EventType.USER_ID);
    var id = text(event, EventType.NOTIFICATION_ID);
    var key = Notification.key(userId, TimeOrderedId.timeOf(id), id);
    var recipient = User.key(userId);
    var actor = User.key(event.actor());
    var post =
        Optional.of(event)
            .filter(it -> it.data().containsKey(EventType.POST_ID))
            .map(EventContent::post);
    var now =
        now(Stream.concat(Stream.of(key, recipient, actor), post.stream()).toArray(Key[]::new));
    return now.get(key, Notification.class)
            .filter(found -> found.expiresAt() > clock.instant().getEpochSecond())
            .isPresent()
        && now.has(recipient)
        && now.has(actor)
        && post.stream().allMatch(now::isPublic)
        && blocksAndMutes.around(userId).silenced(Set.of(event.actor())).isEmpty();
  }

  /** Some rows as they are now. */
  private record Now(Map<Key, Row> rows) {
    boolean has(Key key) {
      return rows.containsKey(key);
    }

    <R extends Row> Optional<R> get(Key key, Class<R> type) {
      return Optional.ofNullable(rows.get(key)).map(type::cast);
    }

    boolean isPublic(Key post) {
      return get(post, Post.class)
          .filter(found -> found.visibility() == Visibility.PUBLIC)
          .isPresent();
    }
  }

  /** Reads rows in one call, strongly: one read unit each. */
  private Now now(Key... keys) {
    return new Now(
        table.getAll(List.of(keys), true).stream()
            .collect(Collectors.toMap(Row::key, Function.identity())));
  }

  private static Key post(DomainEvent event) {
    return Post.key(text(event, EventType.POST_ID));
  }

  private static Key account(DomainEvent event, String field) {
    return User.key(text(event, field));
  }

  private static String text(DomainEvent event, String field) {
    return String.valueOf(event.data().get(field));
  }
}
