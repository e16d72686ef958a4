package social.feed.contract;

import java.time.Instant;
import social.feed.table.access.AccessPattern;
import social.feed.table.engagement.Likes;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.Like;
import social.feed.table.row.LikeRef;
import social.feed.testkit.TestTable;

/** FEED-005: GSI1, newest first. */
class ITLikesOfPost implements ListContract<LikeRef> {
  @Override
  public AccessPattern pattern() {
    return AccessPattern.FEED_005;
  }

  @Override
  public double unitsOfAFullPage() {
    return 4.5;
  }

  @Override
  public FilledList<LikeRef> list(TestTable table) {
    return new Liked(table, Names.fresh());
  }

  private record Liked(TestTable table, String postId) implements FilledList<LikeRef> {
    @Override
    public Page<LikeRef> page(PageRequest request) {
      return new Likes(table.table()).of(postId, 0, request);
    }

    @Override
    public LikeRef add(Instant time) {
      var like = new Like(postId, Names.fresh(), "author0001", time);
      new Likes(table.table()).add(like);
      return new LikeRef(like.userId(), time);
    }

    @Override
    public void remove(LikeRef like) {
      new Likes(table.table()).remove(postId, like.userId());
    }
  }
}
