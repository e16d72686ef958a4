package social.feed.streams.effect;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Removes entries that a feed may not hold. It finds them through the feed's index. The record that
 * causes it is younger than all entries that it must find, so it relies on the index being behind
 * by less time than the stream takes. Two handlers reconcile without such a record; ADR 0040 says
 * what may be left. Half a read unit for each 4 KB of the feed since a time, one for each post and
 * each author that is checked, and two write units for each entry that is removed. Holds a page of
 * the feed with its posts in memory.
 */
public final class ReconcileFeedHandler
    implements EffectHandler<ReconcileFeedHandler.ReconcileFeed> {
  /**
   * Checks the entries of a feed, of one author or of all, because an earlier attempt may have been
   * cut off between its writes and its check.
   *
   * @param since the oldest time of posts that the attempt may have written
   */
  public record ReconcileFeed(String readerId, Optional<String> authorId, Instant since)
      implements Effect {
    /** For the whole feed, since it is not known how far back the attempt wrote. */
    ReconcileFeed(String readerId, Optional<String> authorId) {
      this(readerId, authorId, Instant.EPOCH);
    }
  }

  private final FeedReconciler reconciler;

  public ReconcileFeedHandler(EffectContext context) {
    this.reconciler = context.feedReconciler;
  }

  @Override
  public void apply(List<ReconcileFeed> effects) {
    effects.stream().distinct().forEach(reconciler::reconcile);
  }
}
