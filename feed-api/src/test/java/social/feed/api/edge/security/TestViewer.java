package social.feed.api.edge.security;

import java.time.Clock;
import java.time.Instant;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.kernel.store.Table;
import social.feed.table.user.Users;

/** Creates callers without a request. */
public final class TestViewer {
  private TestViewer() {}

  /** Returns a caller whose state is read from a table. */
  public static Viewer of(String userId, Table table, Clock clock) {
    var stores =
        new Viewer.Stores(
            new BlocksAndMutes(table, clock),
            new MuteCache(),
            new Users(table),
            new FollowQuotas(table));
    return new Viewer(userId, Instant.MAX, stores);
  }
}
