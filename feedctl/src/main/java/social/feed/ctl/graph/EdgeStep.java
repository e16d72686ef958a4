package social.feed.ctl.graph;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import social.feed.table.graph.FollowCapException;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.graph.FollowWriter;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Follow;

/**
 * Writes the edges of a graph. A follower has as many as the cap allows, the first of the file, and
 * keeps nobody else's out.
 */
final class EdgeStep {
  /** How many of the edges that are left out are named for each follower. */
  private static final int NAMED = 5;

  private final FollowWriter writes;
  private final FollowEdges follows;
  private final FollowQuotas quotas;
  private final long cap;
  private final Map<String, LeftOut> beyondCap = new LinkedHashMap<>();

  EdgeStep(Table table, long cap) {
    this.writes = new FollowWriter(table, cap);
    this.follows = new FollowEdges(table);
    this.quotas = new FollowQuotas(table);
    this.cap = cap;
  }

  private static final class LeftOut {
    private final List<String> first = new ArrayList<>();
    private long count;

    private void add(Follow edge) {
      count++;
      if (first.size() < NAMED) {
        first.add(edge.followeeId());
      }
    }

    private String sentence(String follower, long cap) {
      var more = count > first.size() ? " and %,d more".formatted(count - first.size()) : "";
      return "%s may follow %,d accounts and no more; left out: %s%s"
          .formatted(follower, cap, String.join(", ", first), more);
    }
  }

  /**
   * Writes those that are new.
   *
   * @return how many that were
   */
  long adopt(List<Follow> edges) {
    try {
      return writes.adopt(edges);
    } catch (FollowCapException e) {
      return edges.stream()
          .collect(groupingBy(Follow::followerId, LinkedHashMap::new, toList()))
          .values()
          .stream()
          .mapToLong(this::upToTheCap)
          .sum();
    }
  }

  /** A sentence for each follower who may not have all of them. */
  List<String> refused() {
    return beyondCap.entrySet().stream().map(e -> e.getValue().sentence(e.getKey(), cap)).toList();
  }

  private long upToTheCap(List<Follow> ofFollower) {
    var follower = ofFollower.getFirst().followerId();
    while (true) {
      var there = follows.stillThere(ofFollower);
      var missing = ofFollower.stream().filter(edge -> !there.contains(edge.key())).toList();
      long room = Math.max(0, cap - quotas.of(follower).following());
      int taken = (int) Math.min(room, missing.size());
      try {
        long written = writes.adopt(missing.subList(0, taken));
        missing
            .subList(taken, missing.size())
            .forEach(edge -> beyondCap.computeIfAbsent(follower, _ -> new LeftOut()).add(edge));
        return written;
      } catch (FollowCapException e) {
        // The follower used the room meanwhile; there is less of it now.
        continue;
      }
    }
  }
}
