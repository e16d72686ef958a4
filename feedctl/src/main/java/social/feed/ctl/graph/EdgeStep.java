package social.feed.ctl.graph;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import social.feed.table.graph.AdoptedFollows;
import social.feed.table.graph.FollowCapException;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.graph.FollowWriter;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Follow;

/**
 * Writes the edges of a graph. A follower gets as many as the cap allows, the first of the file,
 * and none across a block. A follower at the cap does not affect others.
 */
final class EdgeStep {
  /** The number of skipped edges that are named for each follower. */
  private static final int NAMED = 5;

  private final FollowWriter writes;
  private final FollowEdges follows;
  private final FollowQuotas quotas;
  private final long cap;
  private final Map<String, SkippedEdges> beyondCap = new LinkedHashMap<>();
  private final Map<String, SkippedEdges> blocked = new LinkedHashMap<>();

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

    private String sentence(String follower, String rule) {
      var more = count > first.size() ? " and %,d more".formatted(count - first.size()) : "";
      return "%s %s; skipped: %s%s".formatted(follower, rule, String.join(", ", first), more);
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
                insert(batch, lane);
                step.advance(batch.size());
              }
              return lane;
            });
    for (var lane : lanes) {
      note(lane.beyondCap, beyondCap);
      note(lane.blocked, blocked);
    }
    return lanes.stream().mapToLong(lane -> lane.written).sum();
  }

  private static void note(List<Follow> skipped, Map<String, SkippedEdges> ofFollowers) {
    for (var edge : skipped) {
      ofFollowers.computeIfAbsent(edge.followerId(), _ -> new SkippedEdges()).add(edge);
    }
  }

  /** What the transactions of some followers have written and skipped. */
  private static final class Lane {
    private long written;
    private final List<Follow> beyondCap = new ArrayList<>();
    private final List<Follow> blocked = new ArrayList<>();

    private void note(AdoptedFollows adopted) {
      written += adopted.written();
      blocked.addAll(adopted.blocked());
    }
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

  private void insert(List<Follow> edges, Lane lane) {
    try {
      lane.note(writes.adopt(edges));
    } catch (FollowCapException e) {
      edges.stream()
          .collect(groupingBy(Follow::followerId, LinkedHashMap::new, toList()))
          .values()
          .forEach(ofFollower -> upToTheCap(ofFollower, lane));
    }
  }

  /** Returns a sentence for each follower with skipped edges, and for each reason. */
  List<String> refused() {
    return Stream.concat(
            sentences(beyondCap, "may follow at most %,d accounts".formatted(cap)),
            sentences(blocked, "follows no account that it blocks or that blocks it"))
        .toList();
  }

  private static Stream<String> sentences(Map<String, SkippedEdges> ofFollowers, String rule) {
    return ofFollowers.entrySet().stream().map(e -> e.getValue().sentence(e.getKey(), rule));
  }

  private void upToTheCap(List<Follow> ofFollower, Lane lane) {
    var follower = ofFollower.getFirst().followerId();
    // They would take the places of others.
    var blockedOnes = writes.blocked(ofFollower);
    lane.blocked.addAll(blockedOnes);
    var allowed = ofFollower.stream().filter(edge -> !blockedOnes.contains(edge)).toList();
    while (true) {
      var there = follows.stillThere(allowed);
      var missing = allowed.stream().filter(edge -> !there.contains(edge.key())).toList();
      long room = Math.max(0, cap - quotas.of(follower).following());
      int taken = (int) Math.min(room, missing.size());
      try {
        lane.note(writes.adopt(missing.subList(0, taken)));
        lane.beyondCap.addAll(missing.subList(taken, missing.size()));
        return;
      } catch (FollowCapException e) {
        // The follower followed others meanwhile, so fewer edges fit now.
        continue;
      }
    }
  }
}
