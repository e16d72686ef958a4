package social.feed.table.suspicion;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import social.feed.table.access.AccessPattern;
import social.feed.table.graph.FollowEdges;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.FollowOpening;
import social.feed.table.row.FollowRef;
import social.feed.table.row.Keys;
import social.feed.table.row.Suspect.Evidence;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;

/** Finds new accounts that began to follow in the same order. */
public final class FollowOpenings {
  private final Table table;
  private final FollowEdges edges;
  private final PartitionQueries partitions;

  public FollowOpenings(Table table) {
    this.table = table;
    this.edges = new FollowEdges(table);
    this.partitions = new PartitionQueries(table);
  }

  /**
   * Notes how an account began, and returns what that shows of it and of others. Writes nothing
   * unless its first thirty follows took at most ten minutes, and then a row for each hash of the
   * sketch: four write units. One read unit for forty followed accounts, and one for each hash. A
   * repeat writes the same rows, unless the account has unfollowed some of them or followed more
   * than a page since.
   *
   * @param version of its follow quota
   * @param day the UTC day of the follows
   * @param least how many accounts in the same order are suspicious
   */
  public List<Evidence> note(String userId, long version, Instant day, int least) {
    var sketch = sketch(userId);
    if (sketch.isEmpty()) {
      return List.of();
    }
    long expiresAt = day.plus(Retention.OPENINGS).getEpochSecond();
    var own =
        sketch.stream()
            .map(hash -> new FollowOpening(hash, userId, version, day, expiresAt))
            .toList();
    table.putAll(own);
    // Read after the write: of two accounts at the same time, one finds the other.
    var members = new HashMap<>(Map.of(userId, own.getFirst()));
    var holders = sketch.stream().map(hash -> holders(hash, userId, 2 * least, members)).toList();
    var ring = OpeningSketch.ring(holders, least);
    return members.values().stream()
        .filter(opening -> ring.containsKey(opening.userId()))
        .map(opening -> evidence(opening, ring.getOrDefault(opening.userId(), 0L), least))
        .toList();
  }

  private static Evidence evidence(FollowOpening opening, long value, int least) {
    return new Evidence(
        opening.userId(),
        opening.version(),
        opening.day(),
        List.of(SuspicionFinding.of(SuspicionReason.SAME_ORDER, value, least)));
  }

  /** The index may lag: runs of followed accounts that it does not show yet have no hash. */
  private List<String> sketch(String userId) {
    var list =
        edges
            .following(userId, PageRequest.first(AccessPattern.FEED_011.maxPage()))
            .items()
            .reversed();
    var first = list.subList(0, Math.min(OpeningSketch.LENGTH, list.size()));
    return first.isEmpty()
            || first
                .getFirst()
                .createdAt()
                .plus(OpeningSketch.WITHIN)
                .isBefore(first.getLast().createdAt())
        ? List.of()
        : OpeningSketch.of(first.stream().map(FollowRef::followeeId).toList());
  }

  /** Returns the account itself and the first others that have a hash. */
  private Set<String> holders(
      String hash, String userId, int most, Map<String, FollowOpening> members) {
    var holders = new HashSet<>(Set.of(userId));
    for (var item : partitions.after(FollowOpening.partition(hash), Keys.USERS, null, most)) {
      if (RowCodec.decode(item) instanceof FollowOpening opening) {
        members.putIfAbsent(opening.userId(), opening);
        holders.add(opening.userId());
      }
    }
    return holders;
  }
}
