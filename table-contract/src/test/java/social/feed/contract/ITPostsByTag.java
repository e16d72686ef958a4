package social.feed.contract;

import java.time.Instant;
import java.util.List;
import java.util.Random;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.post.Posts;
import social.feed.table.row.PostRef;
import social.feed.table.row.PostTag;
import social.feed.table.row.Visibility;
import social.feed.testkit.TestTable;

/** FEED-007: GSI2, newest first, public posts only. */
class ITPostsByTag implements ListContract<PostRef> {
  @Override
  public AccessPattern pattern() {
    return AccessPattern.FEED_007;
  }

  @Override
  public double unitsOfAFullPage() {
    return 6.5;
  }

  @Override
  public FilledList<PostRef> list(TestTable table) {
    return new Tagged(table, Names.fresh());
  }

  private record Tagged(TestTable table, String tag, Random random) implements FilledList<PostRef> {
    Tagged(TestTable table, String tag) {
      this(table, tag, new Random(tag.hashCode()));
    }

    @Override
    public Page<PostRef> page(PageRequest request) {
      return new Posts(table.table()).withTag(tag, request);
    }

    @Override
    public PostRef add(Instant time) {
      var id = TimeOrderedId.random(time, random);
      var ref = new PostRef(id, "author0001", time, Visibility.PUBLIC, 4, null);
      table.table().putAll(List.of(row(ref)));
      return ref;
    }

    @Override
    public void remove(PostRef ref) {
      table.table().deleteAll(List.of(row(ref).key()));
    }

    private PostTag row(PostRef ref) {
      return new PostTag(
          ref.postId(), tag, ref.authorId(), ref.createdAt(), ref.visibility(), ref.feedShards());
    }
  }
}
