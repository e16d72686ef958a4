package social.feed.ctl.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import social.feed.table.graph.FollowWriter;
import social.feed.table.row.Follow;

/** Packs edges into as few transactions as hold them with the quotas of their followers. */
final class EdgeBatches {
  private EdgeBatches() {}

  /**
   * The edges in batches, those of a follower next to each other.
   *
   * @param byFollower for each follower the edges by their followee
   */
  static List<List<Follow>> of(Map<String, Map<String, Follow>> byFollower) {
    var batches = new ArrayList<List<Follow>>();
    var batch = new ArrayList<Follow>();
    int rows = 0;
    for (var ofFollower : byFollower.values()) {
      boolean quotaCounted = false;
      for (var edge : ofFollower.values()) {
        int needed = quotaCounted ? 1 : 2;
        if (rows + needed > FollowWriter.MAX_ADOPTED) {
          batches.add(List.copyOf(batch));
          batch.clear();
          rows = 0;
          needed = 2;
        }
        batch.add(edge);
        rows += needed;
        quotaCounted = true;
      }
    }
    if (!batch.isEmpty()) {
      batches.add(List.copyOf(batch));
    }
    return batches;
  }
}
