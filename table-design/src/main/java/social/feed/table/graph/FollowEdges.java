package social.feed.table.graph;

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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.SetExpression;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowRef;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

/** Follow edges as they are read; {@link FollowWriter} changes them. */
public final class FollowEdges {
  private static final RecordSchema<Follow> SCHEMA = RecordSchema.of(Follow.class);

  private final Table table;
  private final PagedQueries lists;
  private final PartitionQueries partitions;

  public FollowEdges(Table table) {
    this.table = table;
    this.lists = new PagedQueries(table);
    this.partitions = new PartitionQueries(table);
  }

  /** An edge, strongly consistent. One read unit. */
  public Optional<Follow> get(String followerId, String followeeId) {
    return table.get(Follow.key(followerId, followeeId)).map(SCHEMA::mapToItem);
  }

  /** Who follows an account, newest first; position is the GSI_FOL sort key. */
  @Serves(AccessPattern.FEED_008)
  public Page<FollowRef> followers(String followeeId, PageRequest request) {
    return lists.ofIndex(
        AccessPattern.FEED_008, FollowRef.class, Keys.followee(followeeId), request);
  }

  /** Whom an account follows, newest first; position is the GSI_FOLLOWING sort key. */
  @Serves(AccessPattern.FEED_011)
  public Page<FollowRef> following(String followerId, PageRequest request) {
    return lists.ofIndex(
        AccessPattern.FEED_011, FollowRef.class, Keys.follower(followerId), request);
  }

  /**
   * How an account stands to up to 30 others, strongly consistent. Two read units each.
   *
   * @return one relationship for each of the others, in their order
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

  private static Relationship relationship(@Nullable Follow there, @Nullable Follow back) {
    return new Relationship(
        there != null, back != null, there != null && there.specialSince() != null);
  }

  /** The keys of those edges that are there, strongly consistent. One read unit each. */
  public Set<Key> stillThere(Collection<Follow> edges) {
    return there(edges.stream().map(Follow::key).toList());
  }

  /** Which keys have an edge, strongly consistent. One read unit each. */
  public Set<Key> there(Collection<Key> edges) {
    return at(edges).keySet();
  }

  /** The edges at some keys, strongly consistent. One read unit each. */
  public Map<Key, Follow> at(Collection<Key> edges) {
    return table.getAll(edges, true).stream()
        .map(Follow.class::cast)
        .collect(Collectors.toMap(Follow::key, Function.identity()));
  }

  /** Which of some accounts a user follows, strongly consistent. One read unit each. */
  public Set<String> followedAmong(String followerId, Collection<String> followeeIds) {
    return table
        .getAll(followeeIds.stream().map(id -> Follow.key(followerId, id)).toList(), true)
        .stream()
        .map(Follow.class::cast)
        .map(Follow::followeeId)
        .collect(Collectors.toSet());
  }

  /**
   * Whom a delivery is to reach, in the order of the followers' ids, strongly consistent, up to 500
   * at a time. An edge that cannot be read whole is among them.
   */
  public Stream<List<AudienceMember>> reach(String followeeId) {
    return partitions
        .items(Keys.followee(followeeId), Keys.FOLLOWERS)
        .map(page -> page.stream().map(AudienceMember::of).toList());
  }

  /**
   * Whom a delivery is to reach, of those whose ids come after one; up to so many, strongly
   * consistent.
   */
  public List<AudienceMember> reachAfter(String followeeId, @Nullable String after, int limit) {
    return partitions
        .after(
            Keys.followee(followeeId),
            Keys.FOLLOWERS,
            after == null ? null : Keys.follower(after),
            limit)
        .stream()
        .map(AudienceMember::of)
        .toList();
  }

  /** Whom a delivery is to reach, of those whose ids lie between two, both included. */
  public List<AudienceMember> reach(String followeeId, String firstFollower, String lastFollower) {
    return range(followeeId, firstFollower, lastFollower).map(AudienceMember::of).toList();
  }

  private Stream<Map<String, AttributeValue>> range(String followeeId, String first, String last) {
    return partitions
        .range(Keys.followee(followeeId), Keys.follower(first), Keys.follower(last))
        .stream();
  }

  /**
   * Notes on an edge how far back the follower's feed was filled, once: a later note changes
   * nothing. One write unit.
   *
   * @return how far back it is noted, empty when the edge is no longer that one
   */
  public Optional<Instant> noteFed(Follow edge, Instant since) {
    var names = Map.of("#since", Follow.FEED_SINCE, "#created", Follow.CREATED_AT);
    var values =
        Map.of(
            ":since", AttributeValue.fromS(Timestamps.format(since)),
            ":created", AttributeValue.fromS(Timestamps.format(edge.createdAt())));
    try {
      var noted =
          table
              .client()
              .updateItem(
                  u ->
                      u.tableName(table.name())
                          .key(KeyAttributes.of(edge.key()))
                          .updateExpression("SET #since = if_not_exists(#since, :since)")
                          .conditionExpression("#created = :created")
                          .expressionAttributeNames(names)
                          .expressionAttributeValues(values)
                          .returnValues(ReturnValue.ALL_NEW))
              .attributes();
      return Optional.ofNullable(SCHEMA.mapToItem(noted).feedSince());
    } catch (ConditionalCheckFailedException e) {
      return Optional.empty();
    }
  }

  /** Notes that a backfill was tried again. One write unit. */
  public void noteRetried(Follow edge, Instant now) {
    var update =
        new SetExpression()
            .set(Follow.FEED_RETRIED_AT, AttributeValue.fromS(Timestamps.format(now)))
            .when(
                Follow.CREATED_AT, "=", AttributeValue.fromS(Timestamps.format(edge.createdAt())));
    try {
      table
          .client()
          .updateItem(
              update.request().tableName(table.name()).key(KeyAttributes.of(edge.key())).build());
    } catch (ConditionalCheckFailedException e) {
      // The edge is gone, or another: whoever removed it takes the entries out.
      return;
    }
  }
}
