package social.feed.contract;

import java.time.Instant;
import java.util.Random;
import social.feed.table.access.AccessPattern;
import social.feed.table.engagement.Comments;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.Comment;
import social.feed.table.row.CommentRef;
import social.feed.testkit.TestTable;

/** FEED-017: GSI2, newest first. The sort key names the comment. */
class ITCommentsOfAccount implements ListContract<CommentRef> {
  @Override
  public AccessPattern pattern() {
    return AccessPattern.FEED_017;
  }

  @Override
  public double unitsOfAFullPage() {
    return 1.5;
  }

  @Override
  public FilledList<CommentRef> list(TestTable table) {
    return new Commented(table, Names.fresh());
  }

  private record Commented(TestTable table, String userId, Random random)
      implements FilledList<CommentRef> {
    Commented(TestTable table, String user) {
      this(table, user, new Random(user.hashCode()));
    }

    @Override
    public Page<CommentRef> page(PageRequest request) {
      return new Comments(table.table()).by(userId, request);
    }

    @Override
    public CommentRef add(Instant time) {
      var id = TimeOrderedId.random(time, random);
      var comment = new Comment(Names.fresh(), id, userId, "author0001", "Nice", time);
      new Comments(table.table()).add(comment);
      return new CommentRef(comment.postId(), id);
    }

    @Override
    public void remove(CommentRef comment) {
      new Comments(table.table()).delete(comment.postId(), comment.commentId());
    }
  }
}
