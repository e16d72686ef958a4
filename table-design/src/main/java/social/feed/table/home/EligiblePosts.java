package social.feed.table.home;

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

/**
 * The pushed posts of one author that belong in a feed, from GSI1. Each has the position that its
 * entry has in GSI3. The two indexes order posts of one millisecond differently, so a page ends
 * between two milliseconds. Costs half a read unit for each 4 KB.
 */
record EligiblePosts(PagedQueries lists, FeedAuthor author) implements FeedSource {
  @Override
  public Page<FeedRef> page(PageRequest request) {
    var found = new ArrayList<Positioned<FeedRef>>();
    @Nullable String after = request.after();
    @Nullable String start = after == null ? null : Keys.endOf(Timestamps.leading(after));
    int examined = 0;
    while (true) {
      var refs = refs(new PageRequest(request.limit(), start));
      examined += refs.examined();
      for (var post : refs.items()) {
        if (author.isBefore(post)) {
          return new Page<>(found, null, examined);
        }
        add(post, after, found);
      }
      if (refs.next() == null) {
        return new Page<>(found, null, examined);
      }
      var end = Keys.endOf(Timestamps.leading(refs.next()));
      if (after == null || end.compareTo(after) < 0) {
        return new Page<>(found, end, examined);
      }
      // The whole page is of one millisecond.
      start = refs.next();
    }
  }

  private Page<PostRef> refs(PageRequest request) {
    return lists.ofIndex(
        AccessPattern.FEED_002, PostRef.class, Keys.user(author.authorId()), request);
  }

  private void add(PostRef post, @Nullable String after, List<Positioned<FeedRef>> found) {
    var slot = slot(post);
    boolean isNext = after == null || slot.position().compareTo(after) < 0;
    if (isNext && author.owes(post)) {
      found.add(slot);
    }
  }

  private Positioned<FeedRef> slot(PostRef post) {
    int shard = FeedEntry.shard(post.postId(), author.readerId(), post.feedShards());
    return new Positioned<>(
        Keys.feedSort(post.createdAt(), shard, post.postId()),
        new FeedRef(post.postId(), post.authorId(), post.createdAt()));
  }
}
