package social.feed.streams.sink;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.search.EntryKind;
import social.feed.search.IndexState;
import social.feed.search.PostHit;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;
import social.feed.table.erasure.ErasureTraces;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Post;

/**
 * The entries of accounts in a search index. Those of an erased account are removed by the sink of
 * the index, through its queue, as the lost events would have done. Up to {@value
 * SearchIndex#MAX_HITS} posts at a time; a later sweep finds the others. Four requests to the
 * index.
 */
public final class IndexTraces implements ErasureTraces {
  /**
   * Above the version of the entry, and below that of each later event: the character is below all
   * digits. The entry of a rebuild has an empty version.
   */
  private static final String NEXT = "!";

  private final SearchIndex index;
  private final EventOutbox outbox;
  private final Clock clock;

  public IndexTraces(SearchIndex index, EventOutbox outbox, Clock clock) {
    this.index = index;
    this.outbox = outbox;
    this.clock = clock;
  }

  @Override
  public boolean areLeft(String userId) {
    try {
      var events = new ArrayList<DomainEvent>();
      for (var post : existing(EntryKind.POST, postsOf(userId))) {
        events.add(
            event(
                EventType.POST_DELETED,
                "post:" + post.id(),
                post,
                userId,
                new TreeMap<>(Map.of(EventType.POST_ID, post.id(), Post.AUTHOR_ID, userId))));
      }
      for (var account : existing(EntryKind.ACCOUNT, List.of(userId))) {
        events.add(
            event(
                EventType.ACCOUNT_ERASED,
                "account:" + userId,
                account,
                userId,
                new TreeMap<>(Map.of(EventType.USER_ID, userId))));
      }
      if (!events.isEmpty()) {
        outbox.put(events, SearchSink.NAME);
      }
      return !events.isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> postsOf(String userId) throws IOException {
    index.refresh();
    return index
        .findPosts(new PostQuery("", userId, null, null, null), null, SearchIndex.MAX_HITS)
        .stream()
        .map(PostHit::id)
        .toList();
  }

  private List<IndexState> existing(EntryKind kind, List<String> ids) throws IOException {
    return index.states(kind, ids).stream().filter(state -> !state.isDeleted()).toList();
  }

  private DomainEvent event(
      EventType type,
      String entity,
      IndexState entry,
      String userId,
      TreeMap<String, Object> data) {
    return new DomainEvent(
        type, Timestamps.now(clock), entity, entry.version() + NEXT, userId, data);
  }
}
