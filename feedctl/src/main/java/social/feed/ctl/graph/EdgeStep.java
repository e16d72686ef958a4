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
import social.feed.table.kernel.store.ParallelCalls;
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
   * Writes the edges that are new, several transactions at a time. The edges of a follower are
   * written one transaction after the other, in their order: all of them change its quota.
   *
   * @param byFollower the edges by follower, and then by followee
   * @param step advances with the edges
   * @return the number of new edges
   */
  long insert(Map<String, Map<String, Follow>> byFollower, ImportProgress.Step step) {
    var lanes =
        ParallelCalls.mapUntilFailure(
            lanes(byFollower),
            GraphImport.AT_ONCE,
            ofLane -> {
              var lane = new Lane();
              for (var batch : batches(ofLane)) {
                lane.written += insert(batch, lane.skipped);
                step.advance(batch.size());
              }
              return lane;
            });
    lanes.stream()
        .flatMap(lane -> lane.skipped.stream())
        .forEach(
            edge ->
                beyondCap.computeIfAbsent(edge.followerId(), _ -> new SkippedEdges()).add(edge));
    return lanes.stream().mapToLong(lane -> lane.written).sum();
  }

  /** What the transactions of some followers have written and skipped. */
  private static final class Lane {
    private long written;
    private final List<Follow> skipped = new ArrayList<>();
  }

  /** Shares the followers out, in their order, so that each lane has about as many edges. */
  private static List<Map<String, Map<String, Follow>>> lanes(
      Map<String, Map<String, Follow>> byFollower) {
    long edges = byFollower.values().stream().mapToLong(Map::size).sum();
    var lanes = new ArrayList<Map<String, Map<String, Follow>>>();
    long taken = 0;
    for (var ofFollower : byFollower.entrySet()) {
      if (taken * GraphImport.AT_ONCE >= lanes.size() * edges) {
        lanes.add(new LinkedHashMap<>());
      }
      lanes.getLast().put(ofFollower.getKey(), ofFollower.getValue());
      taken += ofFollower.getValue().size();
    }
    return lanes;
  }

  private long insert(List<Follow> edges, List<Follow> skipped) {
    try {
      return writes.adopt(edges);
    } catch (FollowCapException e) {
      return edges.stream()
          .collect(groupingBy(Follow::followerId, LinkedHashMap::new, toList()))
          .values()
          .stream()
          .mapToLong(ofFollower -> upToTheCap(ofFollower, skipped))
          .sum();
    }
  }

  /** Returns a sentence for each follower with skipped edges. */
  List<String> refused() {
    return beyondCap.entrySet().stream().map(e -> e.getValue().sentence(e.getKey(), cap)).toList();
  }

  private long upToTheCap(List<Follow> ofFollower, List<Follow> skipped) {
    var follower = ofFollower.getFirst().followerId();
    while (true) {
      var there = follows.stillThere(ofFollower);
      var missing = ofFollower.stream().filter(edge -> !there.contains(edge.key())).toList();
      long room = Math.max(0, cap - quotas.of(follower).following());
      int taken = (int) Math.min(room, missing.size());
      try {
        long written = writes.adopt(missing.subList(0, taken));
        skipped.addAll(missing.subList(taken, missing.size()));
        return written;
      } catch (FollowCapException e) {
        // The follower followed others meanwhile, so fewer edges fit now.
        continue;
      }
    }
  }
}
