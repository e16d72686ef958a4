package social.feed.contract;

import java.time.Instant;
import java.util.Random;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.post.Posts;
import social.feed.table.row.PostRef;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.TestTable;

/** FEED-002: GSI1, newest first. */
class ITPostsOfAuthor implements ListContract<PostRef> {
  @Override
  public AccessPattern pattern() {
    return AccessPattern.FEED_002;
  }

  @Override
  public double unitsOfAFullPage() {
    return 2;
  }

  @Override
  public FilledList<PostRef> list(TestTable table) {
    return new Written(table, Names.fresh());
  }

  private record Written(TestTable table, String author, Random random)
      implements FilledList<PostRef> {
    Written(TestTable table, String author) {
      this(table, author, new Random(author.hashCode()));
    }

    @Override
    public Page<PostRef> page(PageRequest request) {
      return new Posts(table.table()).ofAuthor(author, request);
    }

    @Override
    public PostRef add(Instant time) {
      var post = SamplePosts.by(author, time).randomId(random).build();
      new Posts(table.table()).create(post);
      return post.ref();
    }

    @Override
    public void remove(PostRef post) {
      new Posts(table.table()).delete(post.postId(), author, FIRST);
    }
  }
}
