package social.feed.ctl.verify;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import social.feed.table.graph.SpecialFollowWriter;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;

/**
 * Special follows are said alike by the edge, the follower's quota and the row beside the
 * followee's edges. Four read units a special follow. What the edge says is what counts.
 */
record SpecialCheck(TableScanner census, SpecialFollowWriter writes) implements RowCheck {
  @Override
  public String name() {
    return "special follows";
  }

  @Override
  public boolean concerns(Row row) {
    return switch (row) {
      case Follow edge -> edge.specialSince() != null;
      case FollowQuota quota -> !quota.specials().isEmpty();
      default -> row instanceof SpecialFollower;
    };
  }

  @Override
  public List<Drift> inspect(List<Row> rows) {
    Function<Row, Stream<Key>> needed = SpecialCheck::needed;
    var there = RelatedRows.at(rows.stream().flatMap(needed).toList(), census);
    return rows.stream().flatMap(row -> drifts(row, there)).toList();
  }

  private static Stream<Key> needed(Row row) {
    return switch (row) {
      case Follow edge ->
          Stream.of(
              SpecialFollower.key(edge.followerId(), edge.followeeId()),
              FollowQuota.key(edge.followerId()));
      case SpecialFollower special ->
          Stream.of(Follow.key(special.followerId(), special.followeeId()));
      case FollowQuota quota -> quota.specials().stream().map(id -> Follow.key(quota.userId(), id));
      default -> Stream.empty();
    };
  }

  private Stream<Drift> drifts(Row row, RelatedRows there) {
    return switch (row) {
      case Follow edge -> of(edge, there);
      case SpecialFollower special ->
          since(special.followerId(), special.followeeId(), there).isPresent()
              ? Stream.empty()
              : Stream.of(surplus(special, special.followerId(), special.followeeId()));
      case FollowQuota quota ->
          quota.specials().stream()
              .filter(id -> since(quota.userId(), id, there).isEmpty())
              .map(id -> surplus(quota, quota.userId(), id));
      default -> Stream.empty();
    };
  }

  private Stream<Drift> of(Follow edge, RelatedRows there) {
    var right =
        there
            .get(SpecialFollower.key(edge.followerId(), edge.followeeId()), SpecialFollower.class)
            .filter(row -> row.createdAt().equals(edge.specialSince()));
    var named =
        there
            .get(FollowQuota.key(edge.followerId()), FollowQuota.class)
            .filter(quota -> quota.specials().contains(edge.followeeId()));
    return right.isPresent() && named.isPresent()
        ? Stream.empty()
        : Stream.of(
            drift(
                edge,
                edge.followerId(),
                edge.followeeId(),
                edge.key()
                    + " is special, and "
                    + (right.isPresent() ? "its quota" : "its row")
                    + " says otherwise"));
  }

  private Drift surplus(Row row, String followerId, String followeeId) {
    var problem = row.key() + " says special of " + Follow.key(followerId, followeeId);
    return drift(row, followerId, followeeId, problem + ", which is not");
  }

  private Drift drift(Row row, String followerId, String followeeId, String problem) {
    return new Drift(row.key(), problem, () -> writes.mend(followerId, followeeId));
  }

  private static Optional<Instant> since(String follower, String followee, RelatedRows there) {
    return there.get(Follow.key(follower, followee), Follow.class).map(Follow::specialSince);
  }
}
