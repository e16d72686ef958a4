package social.feed.streams.sink;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.search.EntryKind;
import social.feed.search.IndexState;
import social.feed.search.SearchIndex;
import social.feed.table.erasure.ErasureTraces;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Post;

/**
 * The entries of accounts in a search index. Those of an erased account are removed by the sink of
 * the index, through its queue, as the lost events would have done: at each sweep up to {@value
 * #MAX_POSTS} posts of an account, and fewer from an index that answers slowly. A later sweep finds
 * the others.
 *
 * <p>One request to the index for a part of a sweep, and two for each account that has nothing
 * there. One more for each further thousand posts.
 */
public final class IndexTraces implements ErasureTraces {
  /**
   * Above the version of the entry, and below that of each later event: the character is below all
   * digits. The entry of a rebuild has an empty version.
   */
  private static final String NEXT = "!";

  /** A sweep of many erasures sends no more messages for one account. */
  static final int MAX_POSTS = 10_000;

  /** After this time a part reads no further page of one account. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

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
    return ofPart().areLeft(userId);
  }

  @Override
  public ErasureTraces ofPart() {
    return new Part();
  }

  /** Refreshes the index once. */
  private final class Part implements ErasureTraces {
    private final Instant end = clock.instant().plus(PATIENCE);
    private boolean isFresh;

    @Override
    public boolean areLeft(String userId) {
      try {
        if (!isFresh) {
          index.refresh();
          isFresh = true;
        }
        boolean hasPosts = removePosts(userId, end);
        boolean hasAccount = removeAccount(userId);
        if (!hasPosts && !hasAccount) {
          // What was seen to be gone may be a deletion that a crash would undo.
          index.commit();
        }
        return hasPosts || hasAccount;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Reads one page in any case, and further ones while there is time. */
  private boolean removePosts(String userId, Instant end) throws IOException {
    int found = 0;
    var page = index.statesOf(userId, "", SearchIndex.MAX_STATES);
    while (!page.isEmpty()) {
      remove(page.stream().map(post -> deletion(post, userId)).toList());
      found += page.size();
      boolean isLast =
          page.size() < SearchIndex.MAX_STATES
              || found >= MAX_POSTS
              || !clock.instant().isBefore(end);
      page =
          isLast ? List.of() : index.statesOf(userId, page.getLast().id(), SearchIndex.MAX_STATES);
    }
    return found > 0;
  }

  private DomainEvent deletion(IndexState post, String userId) {
    return event(
        EventType.POST_DELETED,
        "post:" + post.id(),
        post,
        userId,
        new TreeMap<>(Map.of(EventType.POST_ID, post.id(), Post.AUTHOR_ID, userId)));
  }

  private boolean removeAccount(String userId) throws IOException {
    var entries =
        index.states(EntryKind.ACCOUNT, List.of(userId)).stream()
            .filter(state -> !state.isDeleted())
            .toList();
    remove(
        entries.stream()
            .map(
                account ->
                    event(
                        EventType.ACCOUNT_ERASED,
                        "account:" + userId,
                        account,
                        userId,
                        new TreeMap<>(Map.of(EventType.USER_ID, userId))))
            .toList());
    return !entries.isEmpty();
  }

  private void remove(List<DomainEvent> events) {
    if (!events.isEmpty()) {
      outbox.put(events, SearchSink.NAME);
    }
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
