package social.feed.contract;

import java.time.Instant;
import social.feed.table.access.AccessPattern;
import social.feed.table.engagement.Likes;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.EngagementRef;
import social.feed.table.row.Like;
import social.feed.testkit.TestTable;

/** FEED-016: GSI2, newest first. */
class ITLikesOfAccount implements ListContract<EngagementRef> {
  @Override
  public AccessPattern pattern() {
    return AccessPattern.FEED_016;
  }

  @Override
  public double unitsOfAFullPage() {
    return 1;
  }

  @Override
  public FilledList<EngagementRef> list(TestTable table) {
    return new Liked(table, Names.fresh());
  }

  private record Liked(TestTable table, String userId) implements FilledList<EngagementRef> {
    @Override
    public Page<EngagementRef> page(PageRequest request) {
      return new Likes(table.table()).by(userId, request);
    }

    @Override
    public EngagementRef add(Instant time) {
      var like = new Like(Names.fresh(), userId, "author0001", time);
      new Likes(table.table()).add(like);
      return new EngagementRef(like.postId(), time);
    }

    @Override
    public void remove(EngagementRef like) {
      new Likes(table.table()).remove(like.postId(), userId);
    }
  }
}
