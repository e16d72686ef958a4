package social.feed.table.graph;

import static java.util.Objects.requireNonNull;
import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.present;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowRef;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;

/**
 * Reads follow edges and audiences, and notes backfills. {@link FollowWriter} creates and deletes
 * edges.
 */
public final class FollowEdges {
  private static final RecordSchema<Follow> SCHEMA = RecordSchema.of(Follow.class);

  private static final int COUNTED_PAGES = 20;

  private final Table table;
  private final PagedQueries lists;
  private final PartitionQueries partitions;

  public FollowEdges(Table table) {
    this.table = table;
    this.lists = new PagedQueries(table);
    this.partitions = new PartitionQueries(table);
  }

  /** Returns an edge, strongly consistent. One read unit. */
  public Optional<Follow> get(String followerId, String followeeId) {
    return table.get(Follow.key(followerId, followeeId)).map(SCHEMA::mapToItem);
  }

  /** Returns the followers of an account, newest first. Position is the GSI_FOL sort key. */
  @Serves(AccessPattern.FEED_008)
  public Page<FollowRef> followers(String followeeId, PageRequest request) {
    return lists.ofIndex(
        AccessPattern.FEED_008, FollowRef.class, Keys.followee(followeeId), request);
  }

  /**
   * Returns the accounts that one follows, newest first. Position is the GSI_FOLLOWING sort key.
   */
  @Serves(AccessPattern.FEED_011)
  public Page<FollowRef> following(String followerId, PageRequest request) {
    return lists.ofIndex(
        AccessPattern.FEED_011, FollowRef.class, Keys.follower(followerId), request);
  }

  /**
   * Returns the ids of all accounts that one follows, eventually consistent. Half a read unit for
   * each 4 KB, which hold ten edges or more, and one call for each 1 MB.
   */
  public Set<String> followees(String followerId) {
    return lists
        .allOfIndex(AccessPattern.FEED_011, FollowRef.class, Keys.follower(followerId))
        .map(FollowRef::followeeId)
        .collect(Collectors.toSet());
  }

  /**
   * Returns the relationships of an account to up to 30 others, in their order. Strongly
   * consistent. Two read units each.
   */
  @Serves(AccessPattern.FEED_012)
  public Map<String, Relationship> relationships(String userId, Collection<String> others) {
    if (others.size() > AccessPattern.FEED_012.maxPage()) {
      throw new IllegalArgumentException("At most 30 accounts at once, not " + others.size());
    }
    var keys = new ArrayList<Key>();
    for (var other : others) {
      keys.add(Follow.key(userId, other));
      keys.add(Follow.key(other, userId));
    }
    var found = new HashMap<Key, Follow>();
    table.getAll(keys, true).forEach(row -> found.put(row.key(), (Follow) row));
    var relationships = new LinkedHashMap<String, Relationship>();
    for (var other : others) {
      relationships.put(
          other,
          relationship(found.get(Follow.key(userId, other)), found.get(Follow.key(other, userId))));
    }
    return relationships;
  }

  /** Returns the relationship of an account to another, strongly consistent. Two read units. */
  public Relationship relationship(String userId, String other) {
    return requireNonNull(relationships(userId, List.of(other)).get(other));
  }

  private static Relationship relationship(@Nullable Follow there, @Nullable Follow back) {
    return new Relationship(
        there != null, back != null, there != null && there.specialSince() != null);
  }

  /** Returns the keys of the edges that still exist, strongly consistent. One read unit each. */
  public Set<Key> stillThere(Collection<Follow> edges) {
    return there(edges.stream().map(Follow::key).toList());
  }

  /** Returns the keys that have an edge, strongly consistent. One read unit each. */
  public Set<Key> there(Collection<Key> edges) {
    return at(edges).keySet();
  }

  /** Returns the edges at some keys, strongly consistent. One read unit each. */
  public Map<Key, Follow> at(Collection<Key> edges) {
    return table.getAll(edges, true).stream()
        .map(Follow.class::cast)
        .collect(Collectors.toMap(Follow::key, Function.identity()));
  }

  /**
   * Returns the accounts among some that a user follows, strongly consistent. One read unit each.
   */
  public Set<String> followedAmong(String followerId, Collection<String> followeeIds) {
    return table
        .getAll(followeeIds.stream().map(id -> Follow.key(followerId, id)).toList(), true)
        .stream()
        .map(Follow.class::cast)
        .map(Follow::followeeId)
        .collect(Collectors.toSet());
  }

  /**
   * Returns the accounts among some that follow a user, eventually consistent. Half a read unit
   * each.
   */
  public Set<String> followersAmong(String followeeId, Collection<String> followerIds) {
    return table
        .getAll(followerIds.stream().map(id -> Follow.key(id, followeeId)).toList(), false)
        .stream()
        .map(Follow.class::cast)
        .map(Follow::followerId)
        .collect(Collectors.toSet());
  }

  /**
   * Returns a part of an account's audience in the order of the members' ids, strongly consistent.
   * Rows that lack attributes are included. One read unit for each 4 KB, about thirty members.
   *
   * @param after the id before the first one, absent for the first part
   * @param limit the most members
   */
  public List<AudienceMember> reachAfter(
      Audience audience, String accountId, @Nullable String after, int limit) {
    return partitions
        .after(
            Keys.followee(accountId),
            audience.prefix(),
            after == null ? null : audience.sort(after),
            limit,
            AudienceMember.attributes(audience))
        .stream()
        .map(row -> AudienceMember.of(audience, row))
        .toList();
  }

  /** As {@link #reachAfter}, for the members whose ids lie between two, both included. */
  public List<AudienceMember> reach(
      Audience audience, String accountId, String first, String last) {
    return partitions
        .range(
            Keys.followee(accountId),
            audience.sort(first),
            audience.sort(last),
            AudienceMember.attributes(audience))
        .stream()
        .map(row -> AudienceMember.of(audience, row))
        .toList();
  }

  /** As {@link #reach}, only the ids of the members. */
  public List<String> ids(Audience audience, String accountId, String first, String last) {
    return partitions
        .keysBetween(Keys.followee(accountId), audience.sort(first), audience.sort(last))
        .stream()
        .map(key -> key.sort().substring(audience.prefix().length()))
        .toList();
  }

  /**
   * Counts the accounts that follow one specially, eventually consistent. Half a read unit for some
   * twenty of them, and at most 2 600 units: more than 100 000 are not counted.
   */
  public long specialFollowers(String followeeId) {
    return partitions.count(
        Keys.followee(followeeId), Audience.SPECIAL_FOLLOWERS.prefix(), COUNTED_PAGES);
  }

  /**
   * Notes on an edge how far back the follower's feed was filled. Only the first note counts. One
   * write unit.
   *
   * @return the noted time, empty when the edge is gone or another one
   */
  public Optional<Instant> noteBackfilled(Follow edge, Instant since) {
    return table
        .updateAndGet(
            edge.key(), new Update().setIfAbsent(Follow.FEED_SINCE, since), stillThe(edge))
        .map(SCHEMA::mapToItem)
        .map(Follow::feedSince);
  }

  /**
   * Notes that a backfill was retried. One write unit. Nothing is noted where the edge is gone or
   * another one: its end removes the entries from the feed.
   */
  public void noteRetried(Follow edge, Instant now) {
    table.update(
        edge.key(), new Update().set(Follow.FEED_RETRIED_AT, now), present().and(stillThe(edge)));
  }

  private static Condition stillThe(Follow edge) {
    return equal(Follow.CREATED_AT, edge.createdAt());
  }
}
