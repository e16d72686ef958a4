package social.feed.verify;

import java.util.Optional;
import java.util.stream.Stream;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Key;
import social.feed.table.row.Mute;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;

/** What verify compares of blocks, mutes and special follows. */
final class RelationChecks {
  private final TableScanner scanner;

  RelationChecks(TableScanner scanner) {
    this.scanner = scanner;
  }

  /**
   * Each block has its row on the other side, no follow edge crosses it, and neither quota says
   * that there is none; nor does the quota of an account that mutes. The block is the source: the
   * other rows are changed to agree with it, and a row on the other side without a block is
   * removed.
   */
  Check blocks() {
    return check(
        "blocks",
        DerivedRows.of(Block.class)
            .actual(
                block ->
                    Stream.of(
                            Stream.of(block.mirrored().key()),
                            edgesAcross(block),
                            Stream.of(FollowQuota.key(block.userId())),
                            Stream.of(FollowQuota.key(block.blockedId())))
                        .flatMap(keys -> keys))
            .difference(
                (block, _, there) ->
                    Stream.of(
                            Stream.of(block.mirrored().key())
                                .filter(key -> !there.has(key))
                                .map(key -> block.key() + " has no row " + key),
                            edgesAcross(block)
                                .filter(there::has)
                                .map(edge -> block.key() + " is crossed by the edge " + edge),
                            Stream.of(block.userId(), block.blockedId())
                                .filter(id -> isUnrelated(id, there))
                                .map(FollowQuota::key)
                                .map(quota -> quota + " denies " + block.key()))
                        .flatMap(problems -> problems)
                        .findFirst()
                        .flatMap(
                            problem ->
                                Drift.at(
                                    block, problem, repairs -> repairs.blocks().repair(block)))),
        DerivedRows.of(BlockedBy.class)
            .actual(blocked -> Stream.of(blocked.mirrored().key()))
            .difference(
                (blocked, _, there) ->
                    there.has(blocked.mirrored().key())
                        ? Optional.empty()
                        : Drift.at(
                            blocked,
                            blocked.key() + " has no block " + blocked.mirrored().key(),
                            repairs -> repairs.rows().remove(blocked))),
        DerivedRows.of(Mute.class)
            .actual(mute -> Stream.of(FollowQuota.key(mute.userId())))
            .difference(
                (mute, _, there) ->
                    isUnrelated(mute.userId(), there)
                        ? Drift.at(
                            mute,
                            FollowQuota.key(mute.userId()) + " denies " + mute.key(),
                            repairs -> repairs.blocks().repair(mute))
                        : Optional.empty()));
  }

  /** Whether a quota says that no block and no mute names its user. */
  private static boolean isUnrelated(String userId, RelatedRows there) {
    var key = FollowQuota.key(userId);
    return !there.isUnreadable(key)
        && there.get(key, FollowQuota.class).filter(FollowQuota::isUnrelated).isPresent();
  }

  private static Stream<Key> edgesAcross(Block block) {
    return Stream.of(
        Follow.key(block.userId(), block.blockedId()),
        Follow.key(block.blockedId(), block.userId()));
  }

  /**
   * The edge, the follower's quota and the followee's list agree on each special follow. The edge
   * is the source.
   */
  Check specialFollows() {
    return check(
        "special follows",
        DerivedRows.of(Follow.class, edge -> edge.specialSince() != null)
            .actual(
                edge ->
                    Stream.of(
                        SpecialFollower.key(edge.followerId(), edge.followeeId()),
                        FollowQuota.key(edge.followerId())))
            .difference((edge, _, there) -> specialFollow(edge, there)),
        DerivedRows.of(SpecialFollower.class)
            .expected(row -> Stream.of(new Edge(row.followerId(), row.followeeId())))
            .actual(edge -> Stream.of(edge.key()))
            .difference(RelationChecks::specialEdge),
        DerivedRows.of(FollowQuota.class, quota -> !quota.specials().isEmpty())
            .expected(quota -> quota.specials().stream().map(id -> new Edge(quota.userId(), id)))
            .actual(edge -> Stream.of(edge.key()))
            .difference(RelationChecks::specialEdge));
  }

  private record Edge(String followerId, String followeeId) {
    private Key key() {
      return Follow.key(followerId, followeeId);
    }
  }

  private static Optional<Drift> specialFollow(Follow edge, RelatedRows there) {
    boolean isListed =
        there
            .get(SpecialFollower.key(edge.followerId(), edge.followeeId()), SpecialFollower.class)
            .filter(row -> row.createdAt().equals(edge.specialSince()))
            .isPresent();
    boolean isInQuota =
        there
            .get(FollowQuota.key(edge.followerId()), FollowQuota.class)
            .filter(quota -> quota.specials().contains(edge.followeeId()))
            .isPresent();
    return isListed && isInQuota
        ? Optional.empty()
        : Drift.at(
            edge,
            edge.key()
                + " is special, but "
                + (isListed ? "its quota" : "its row at the followee")
                + " does not agree",
            repairs -> repairs.specialFollows().repair(edge.followerId(), edge.followeeId()));
  }

  private static Optional<Drift> specialEdge(Row row, Edge edge, RelatedRows there) {
    return there.get(edge.key(), Follow.class).map(Follow::specialSince).isPresent()
        ? Optional.empty()
        : Drift.at(
            row,
            row.key() + " calls the edge " + edge.key() + " special, which it is not",
            repairs -> repairs.specialFollows().repair(edge.followerId(), edge.followeeId()));
  }

  private Check check(String name, DerivedRows<?, ?>... rules) {
    return DerivedRows.check(name, scanner, rules);
  }
}
