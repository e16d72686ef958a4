package social.feed.streams.sink;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;
import social.feed.search.SearchIndex;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.Post;
import social.feed.table.row.User;

/**
 * Writes posts and accounts into a search index. An event has the text that everyone may read now,
 * and none if that is nothing: what it is about is then removed. The version of the event decides
 * which of several is the last. An event is done when the index has committed.
 */
public final class SearchSink implements Publisher {
  /** The name of the sink in messages. */
  public static final String NAME = "search";

  private final SearchIndex index;

  public SearchSink(SearchIndex index) {
    this.index = index;
  }

  /** Whether an event may change the index. */
  static boolean isOfEntry(DomainEvent event) {
    return switch (event.type()) {
      case POST_CREATED,
          POST_VISIBILITY_CHANGED,
          POST_DELETED,
          ACCOUNT_REGISTERED,
          ACCOUNT_CHANGED,
          ACCOUNT_ERASED ->
          true;
      case COMMENT_CREATED,
          COMMENT_DELETED,
          LIKE_CREATED,
          LIKE_DELETED,
          FOLLOW_CREATED,
          FOLLOW_DELETED,
          ACCOUNT_SUSPICIOUS,
          CELEBRITY_CHANGED,
          NOTIFICATION_CREATED,
          WEBHOOK_TEST ->
          false;
    };
  }

  @Override
  public void publish(DomainEvent event) {
    if (!isOfEntry(event)) {
      return;
    }
    try {
      if (event.data().containsKey(EventType.POST_ID)) {
        writePost(event);
      } else {
        writeAccount(event);
      }
      index.commit();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void writePost(DomainEvent event) throws IOException {
    var id = text(event, EventType.POST_ID);
    if (!event.data().containsKey(EventType.TEXT)) {
      index.deletePost(id, event.version());
      return;
    }
    var tags = (List<?>) event.data().getOrDefault(Post.TAGS, List.of());
    index.putPost(
        new IndexedPost(
            id,
            text(event, Post.AUTHOR_ID),
            text(event, EventType.TEXT),
            tags.stream().map(String::valueOf).collect(Collectors.toSet()),
            TimeOrderedId.timeOf(id)),
        event.version());
  }

  private void writeAccount(DomainEvent event) throws IOException {
    var id = text(event, EventType.USER_ID);
    if (event.data().containsKey(User.HANDLE)) {
      index.putAccount(
          new IndexedAccount(id, text(event, User.HANDLE), text(event, User.DISPLAY_NAME)),
          event.version());
    } else {
      index.deleteAccount(id, event.version());
    }
  }

  private static String text(DomainEvent event, String field) {
    return String.valueOf(event.data().get(field));
  }
}
