package social.feed.streams.event;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Comment;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.Suspect;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/**
 * Adds to an event what everyone may read now. Rows are read strongly when the event is published,
 * however late that is: nothing is published that was deleted or made private before. At most two
 * read units an event.
 */
public final class EventContent {
  private final Table table;

  public EventContent(Table table) {
    this.table = table;
  }

  /**
   * Returns the event as it may be published.
   *
   * @return empty for an event about a post that is deleted or not public, and about an account
   *     that is no longer listed as suspicious. What happens to a post itself is published in any
   *     case, then without its text
   */
  public Optional<DomainEvent> publishable(DomainEvent event) {
    return switch (event.type()) {
      case POST_CREATED -> Optional.of(withPost(event));
      case POST_VISIBILITY_CHANGED ->
          Optional.of(
              Boolean.TRUE.equals(event.data().get(EventType.IS_PUBLIC)) ? withPost(event) : event);
      case POST_DELETED,
          FOLLOW_CREATED,
          FOLLOW_DELETED,
          ACCOUNT_ERASED,
          CELEBRITY_CHANGED,
          WEBHOOK_TEST ->
          Optional.of(event);
      case COMMENT_CREATED -> publicPost(event).map(_ -> withComment(event));
      case COMMENT_DELETED, LIKE_CREATED, LIKE_DELETED -> publicPost(event).map(_ -> event);
      case ACCOUNT_REGISTERED, ACCOUNT_CHANGED -> Optional.of(withAccount(event));
      case ACCOUNT_SUSPICIOUS -> Optional.of(event).filter(this::isListed);
      case NOTIFICATION_CREATED ->
          event.data().containsKey(EventType.POST_ID)
              ? publicPost(event).map(_ -> event)
              : Optional.of(event);
    };
  }

  private boolean isListed(DomainEvent event) {
    return row(Suspect.key(text(event, EventType.USER_ID))) instanceof Suspect suspect
        && suspect.isListed();
  }

  private DomainEvent withPost(DomainEvent event) {
    return publicPost(event)
        .map(post -> event.with(Map.of("tags", post.tags(), EventType.TEXT, post.text())))
        .orElse(event);
  }

  private DomainEvent withComment(DomainEvent event) {
    var key = Comment.key(text(event, EventType.POST_ID), text(event, EventType.COMMENT_ID));
    return row(key) instanceof Comment comment
        ? event.with(Map.of(EventType.TEXT, comment.text()))
        : event;
  }

  private DomainEvent withAccount(DomainEvent event) {
    if (row(User.key(text(event, EventType.USER_ID))) instanceof User user) {
      var profile = new TreeMap<String, Object>();
      profile.put(User.HANDLE, user.handle());
      profile.put(User.DISPLAY_NAME, user.displayName());
      if (user.bio() != null) {
        profile.put(User.BIO, user.bio());
      }
      return event.with(profile);
    }
    return event;
  }

  private Optional<Post> publicPost(DomainEvent event) {
    return row(Post.key(text(event, EventType.POST_ID))) instanceof Post post
            && post.visibility() == Visibility.PUBLIC
        ? Optional.of(post)
        : Optional.empty();
  }

  private @Nullable Row row(Key key) {
    return table.get(key).map(RowCodec::decode).orElse(null);
  }

  private static String text(DomainEvent event, String field) {
    return String.valueOf(event.data().get(field));
  }
}
