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

/** FEED-008: GSI_FOL, newest first. */
class ITFollowers implements ListContract<FollowRef> {
  @Override
  public AccessPattern pattern() {
    return AccessPattern.FEED_008;
  }

  @Override
  public double unitsOfAFullPage() {
    return 12.5;
  }

  @Override
  public FilledList<FollowRef> list(TestTable table) {
    return new Edges(table, Names.fresh());
  }

  private record Edges(TestTable table, String owner) implements FilledList<FollowRef> {
    @Override
    public Page<FollowRef> page(PageRequest request) {
      return new FollowEdges(table.table()).followers(owner, request);
    }

    @Override
    public FollowRef add(Instant time) {
      var other = Names.fresh();
      table.table().putAll(List.of(Follow.of(other, owner, time)));
      return new FollowRef(other, owner, time);
    }

    @Override
    public void remove(FollowRef ref) {
      table.table().deleteAll(List.of(Follow.key(ref.followerId(), ref.followeeId())));
    }
  }
}
