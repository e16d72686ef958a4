package social.feed.contract;

import java.time.Instant;
import java.util.Random;
import social.feed.table.access.AccessPattern;
import social.feed.table.engagement.Comments;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.Comment;
import social.feed.testkit.TestTable;

/** FEED-006: the base table, oldest first. */
class ITCommentsOfPost implements ListContract<Comment> {
  @Override
  public AccessPattern pattern() {
    return AccessPattern.FEED_006;
  }

  @Override
  public double unitsOfAFullPage() {
    return 8;
  }

  @Override
  public FilledList<Comment> list(TestTable table) {
    return new Commented(table, Names.fresh());
  }

  private record Commented(TestTable table, String postId, Random random)
      implements FilledList<Comment> {
    Commented(TestTable table, String post) {
      this(table, post, new Random(post.hashCode()));
    }

    @Override
    public Page<Comment> page(PageRequest request) {
      return new Comments(table.table()).of(postId, request);
    }

    @Override
    public Comment add(Instant time) {
      var id = TimeOrderedId.random(time, random);
      var comment = new Comment(postId, id, "reader0001", "author0001", "Nice", time);
      new Comments(table.table()).add(comment);
      return comment;
    }

    @Override
    public void remove(Comment comment) {
      new Comments(table.table()).delete(postId, comment.commentId());
    }
  }
}
