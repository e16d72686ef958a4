package social.feed.table.home;

import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Keys;
import social.feed.table.row.PostRef;
import social.feed.table.row.PulledAuthor;

/**
 * The pulled posts of one author in the period of the registry, from GSI1. Their positions there,
 * {@code <ts>#POST#<id>}, sort among those of GSI3, {@code <ts>#<shard>#POST#<id>}.
 */
record PulledPosts(PagedQueries lists, PulledAuthor author) implements FeedSource {
  @Override
  public Page<FeedRef> page(PageRequest request) {
    if (request.after() != null && request.after().compareTo(Keys.at(author.pullFrom())) < 0) {
      return new Page<>(List.of(), null);
    }
    var stored =
        lists.ofIndex(
            AccessPattern.FEED_002,
            PostRef.class,
            Keys.user(author.authorId()),
            new PageRequest(request.limit(), start(request.after())));
    var pulled =
        stored.slots().stream()
            .filter(slot -> slot.item().delivery() == FanOutMode.PULL)
            .filter(slot -> author.covers(slot.item().createdAt()))
            .map(PulledPosts::ref)
            .toList();
    return new Page<>(
        pulled, isOlderThanPulled(stored.next()) ? null : stored.next(), stored.examined());
  }

  /**
   * Returns the position from which to read. Posts after the author's time as a celebrity were
   * pushed, so they are skipped.
   */
  private @Nullable String start(@Nullable String after) {
    if (author.pullUntil() == null) {
      return after;
    }
    var end = Keys.at(author.pullUntil().plusMillis(1));
    return after == null || after.compareTo(end) > 0 ? end : after;
  }

  private boolean isOlderThanPulled(@Nullable String next) {
    return next != null && next.compareTo(Keys.at(author.pullFrom())) < 0;
  }

  private static Positioned<FeedRef> ref(Positioned<PostRef> slot) {
    var post = slot.item();
    return slot.with(new FeedRef(post.postId(), post.authorId(), post.createdAt()));
  }
}
