package social.feed.table.home;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Keys;
import social.feed.table.row.PostRef;
import social.feed.table.row.PulledAuthor;

/**
 * The posts of one author that belong in a feed, from GSI1, without those of {@link PulledPosts}. A
 * pushed post has the position that its entry has in GSI3, a pulled one that of GSI1. The two
 * indexes order posts of one millisecond differently, so a page ends between two milliseconds.
 * Costs half a read unit for each 4 KB.
 */
record EligiblePosts(PagedQueries lists, FeedAuthor author, @Nullable PulledAuthor pulled)
    implements FeedSource {
  @Override
  public Page<FeedRef> page(PageRequest request) {
    var found = new ArrayList<Positioned<FeedRef>>();
    @Nullable String after = request.after();
    @Nullable String start = start(after);
    int examined = 0;
    while (true) {
      var refs = refs(new PageRequest(request.limit(), start));
      examined += refs.examined();
      for (var post : refs.slots()) {
        if (author.isBefore(post.item())) {
          return new Page<>(found, null, examined);
        }
        add(post, after, found);
      }
      if (refs.next() == null) {
        return new Page<>(found, null, examined);
      }
      var end = Keys.endOf(beyondGap(Timestamps.leading(refs.next())));
      if (after == null || end.compareTo(after) < 0) {
        return new Page<>(found, end, examined);
      }
      // The whole page is of one millisecond.
      start = refs.next();
    }
  }

  /** Returns the position from which to read. Posts after the period or in its gap are skipped. */
  private @Nullable String start(@Nullable String after) {
    @Nullable Instant until = author.until();
    if (after == null) {
      return until == null ? null : Keys.endOf(until);
    }
    var time = Timestamps.leading(after);
    return Keys.endOf(beyondGap(until != null && until.isBefore(time) ? until : time));
  }

  /** Returns a time, or the end of the history before the gap that it lies in. */
  private Instant beyondGap(Instant time) {
    @Nullable FeedGap gap = author.gap();
    return gap != null && gap.contains(time) ? gap.after() : time;
  }

  private Page<PostRef> refs(PageRequest request) {
    return lists.ofIndex(
        AccessPattern.FEED_002, PostRef.class, Keys.user(author.authorId()), request);
  }

  private void add(
      Positioned<PostRef> stored, @Nullable String after, List<Positioned<FeedRef>> found) {
    var post = stored.item();
    var position = author.owesPulled(post) ? stored.position() : entryPosition(post);
    boolean isNext = after == null || position.compareTo(after) < 0;
    if (isNext && (author.owes(post) || isPulledHere(post))) {
      var ref = new FeedRef(post.postId(), post.authorId(), post.createdAt());
      found.add(new Positioned<>(position, ref));
    }
  }

  /** The registry may have lost the author, or may have another period of the author. */
  private boolean isPulledHere(PostRef post) {
    return author.owesPulled(post) && (pulled == null || !pulled.covers(post.createdAt()));
  }

  private String entryPosition(PostRef post) {
    int shard = FeedEntry.shard(post.postId(), author.readerId(), post.feedShards());
    return Keys.feedSort(post.createdAt(), shard, post.postId());
  }
}
