package social.feed.contract;

import java.time.Instant;
import java.util.List;
import social.feed.table.access.AccessPattern;
import social.feed.table.graph.FollowEdges;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowRef;
import social.feed.testkit.TestTable;

/** FEED-011: GSI_FOLLOWING, newest first. */
class ITFollowing implements ListContract<FollowRef> {
  @Override
  public AccessPattern pattern() {
    return AccessPattern.FEED_011;
  }

  @Override
  public double unitsOfAFullPage() {
    return 13;
  }

  @Override
  public FilledList<FollowRef> list(TestTable table) {
    return new Edges(table, Names.fresh());
  }

  private record Edges(TestTable table, String owner) implements FilledList<FollowRef> {
    @Override
    public Page<FollowRef> page(PageRequest request) {
      return new FollowEdges(table.table()).following(owner, request);
    }

    @Override
    public FollowRef add(Instant time) {
      var other = Names.fresh();
      table.table().putAll(List.of(Follow.of(owner, other, time)));
      return new FollowRef(owner, other, time);
    }

    @Override
    public void remove(FollowRef ref) {
      table.table().deleteAll(List.of(Follow.key(ref.followerId(), ref.followeeId())));
    }
  }
}
