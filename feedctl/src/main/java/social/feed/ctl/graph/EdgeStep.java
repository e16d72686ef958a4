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
 * Writes the edges of a graph. A follower gets as many as the cap allows, the first of the file. A
 * follower at the cap does not affect others.
 */
final class EdgeStep {
  /** The number of skipped edges that are named for each follower. */
  private static final int NAMED = 5;

  private final FollowWriter writes;
  private final FollowEdges follows;
  private final FollowQuotas quotas;
  private final long cap;
  private final Map<String, SkippedEdges> beyondCap = new LinkedHashMap<>();

  EdgeStep(Table table, long cap) {
    this.writes = new FollowWriter(table, cap);
    this.follows = new FollowEdges(table);
    this.quotas = new FollowQuotas(table);
    this.cap = cap;
  }

  private static final class SkippedEdges {
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
      return "%s may follow at most %,d accounts; skipped: %s%s"
          .formatted(follower, cap, String.join(", ", first), more);
    }
  }

  /**
   * Packs edges and the quotas of their followers into as few transactions as possible. The edges
   * of a follower are next to each other.
   *
   * @param byFollower the edges by follower, and then by followee
   */
  static List<List<Follow>> batches(Map<String, Map<String, Follow>> byFollower) {
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

  /**
   * Writes the edges that are new.
   *
   * @return the number of new edges
   */
  long insert(List<Follow> edges) {
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

  /** Returns a sentence for each follower with skipped edges. */
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
            .forEach(
                edge -> beyondCap.computeIfAbsent(follower, _ -> new SkippedEdges()).add(edge));
        return written;
      } catch (FollowCapException e) {
        // The follower followed others meanwhile, so fewer edges fit now.
        continue;
      }
    }
  }
}
