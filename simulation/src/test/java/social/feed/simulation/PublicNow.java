package social.feed.simulation;

import java.util.Objects;
import java.util.Optional;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Block;
import social.feed.table.row.Comment;
import social.feed.table.row.Key;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/**
 * Whether others may know an event at this moment. It reads each row by itself and strongly, and
 * shares no code with what decides about the publication.
 */
final class PublicNow {
  private final Table table;

  PublicNow(Table table) {
    this.table = table;
  }

  /** Returns what must not be published of an event; empty if all of it may be. */
  Optional<String> leak(DomainEvent event) {
    boolean mayBeKnown =
        switch (event.type()) {
          case POST_CREATED, POST_VISIBILITY_CHANGED -> isWithoutText(event) || showsPost(event);
          case COMMENT_CREATED ->
              isUnderPublicPost(event)
                  && exists(event, EventType.AUTHOR_ID)
                  && exists(event, "post_author_id")
                  && (isWithoutText(event) || showsComment(event));
          case LIKE_CREATED ->
              isUnderPublicPost(event)
                  && exists(event, EventType.USER_ID)
                  && exists(event, "post_author_id");
          case COMMENT_DELETED, LIKE_DELETED -> isUnderPublicPost(event);
          case ACCOUNT_REGISTERED, ACCOUNT_CHANGED, CELEBRITY_CHANGED ->
              isWithoutName(event) || showsAccount(event);
          case NOTIFICATION_CREATED -> showsNotification(event);
          case POST_DELETED,
              FOLLOW_CREATED,
              FOLLOW_DELETED,
              ACCOUNT_ERASED,
              ACCOUNT_SUSPICIOUS,
              WEBHOOK_TEST ->
              true;
        };
    return mayBeKnown
        ? Optional.empty()
        : Optional.of("%s was published of %s".formatted(event.type(), event.entity()));
  }

  private static boolean isWithoutText(DomainEvent event) {
    return !event.data().containsKey(EventType.TEXT) && !event.data().containsKey(Post.TAGS);
  }

  private static boolean isWithoutName(DomainEvent event) {
    return !event.data().containsKey(User.HANDLE) && !event.data().containsKey(User.DISPLAY_NAME);
  }

  private boolean showsPost(DomainEvent event) {
    return publicPost(event)
        .filter(post -> isRegistered(post.authorId()))
        .filter(post -> post.text().equals(event.data().get(EventType.TEXT)))
        .isPresent();
  }

  private boolean showsComment(DomainEvent event) {
    var key = Comment.key(text(event, EventType.POST_ID), text(event, EventType.COMMENT_ID));
    return row(key, Comment.class)
        .filter(comment -> comment.text().equals(event.data().get(EventType.TEXT)))
        .isPresent();
  }

  private boolean showsAccount(DomainEvent event) {
    return row(User.key(text(event, EventType.USER_ID)), User.class)
        .filter(user -> user.handle().equals(event.data().get(User.HANDLE)))
        .filter(user -> user.displayName().equals(event.data().get(User.DISPLAY_NAME)))
        .filter(user -> Objects.equals(user.bio(), event.data().get(User.BIO)))
        .isPresent();
  }

  private boolean showsNotification(DomainEvent event) {
    var recipient = text(event, EventType.USER_ID);
    var id = text(event, "notification_id");
    var row = row(Notification.key(recipient, TimeOrderedId.timeOf(id), id), Notification.class);
    return row.isPresent()
        && isRegistered(recipient)
        && isRegistered(event.actor())
        && table.get(Block.key(recipient, event.actor())).isEmpty()
        && table.get(Block.key(event.actor(), recipient)).isEmpty()
        && table.get(Mute.key(recipient, event.actor())).isEmpty()
        && (row.get().postId() == null || isUnderPublicPost(event));
  }

  private boolean isUnderPublicPost(DomainEvent event) {
    return publicPost(event).isPresent();
  }

  private Optional<Post> publicPost(DomainEvent event) {
    return row(Post.key(text(event, EventType.POST_ID)), Post.class)
        .filter(post -> post.visibility() == Visibility.PUBLIC);
  }

  private boolean exists(DomainEvent event, String account) {
    return isRegistered(text(event, account));
  }

  private boolean isRegistered(String userId) {
    return table.get(User.key(userId)).isPresent();
  }

  private <R> Optional<R> row(Key key, Class<R> type) {
    return table.get(key).map(RowCodec::decode).map(type::cast);
  }

  private static String text(DomainEvent event, String field) {
    return String.valueOf(event.data().get(field));
  }
}
