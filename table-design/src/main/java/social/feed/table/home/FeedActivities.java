package social.feed.table.home;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.graph.AudienceMember;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Inserts;
import social.feed.table.kernel.store.SetExpression;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** Who reads, and who has not for long: posts are not delivered to those. */
public final class FeedActivities {
  private static final RecordSchema<FeedActivity> SCHEMA = RecordSchema.of(FeedActivity.class);

  /** How exactly the last read is known, which bounds the writes of a reader. */
  private static final Duration NOTED_EVERY = Duration.ofDays(1);

  private final Table table;
  private final Inserts<FeedActivity> inserts;

  public FeedActivities(Table table) {
    this.table = table;
    this.inserts = new Inserts<>(table, FeedActivity.class);
  }

  /** When somebody last read, strongly consistent. One read unit. */
  public Optional<FeedActivity> get(String userId) {
    return table.get(FeedActivity.key(userId)).map(SCHEMA::mapToItem);
  }

  /**
   * Notes that somebody reads. One read unit, and one write unit a day. Whoever was dormant is not
   * from here on: what is written later is delivered, and the stream brings what was left out.
   *
   * @param memberSince when a reader registered of whom nothing is known yet; of who did not,
   *     nothing is noted
   * @throws ThrottledException when others keep changing the same row
   */
  public FeedActivity read(String userId, Instant now, Supplier<Optional<Instant>> memberSince) {
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var stored = get(userId);
      var since = stored.map(FeedActivity::lastReadAt).or(memberSince);
      if (since.isEmpty()) {
        return FeedActivity.at(userId, now);
      }
      var before = stored.orElseGet(() -> FeedActivity.at(userId, since.get()));
      var after = before.isDormant(now) ? before.awoken(now) : noted(before, now);
      if (stored.filter(after::equals).isPresent()) {
        return after;
      }
      if (stored.isEmpty() ? inserts.putIfAbsent(after).isEmpty() : replace(before, after)) {
        return after;
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("Activity of " + userId, 1, table.backoff().attempts());
  }

  private static FeedActivity noted(FeedActivity before, Instant now) {
    return before.lastReadAt().plus(NOTED_EVERY).isBefore(now)
        ? new FeedActivity(before.userId(), now, before.storedSince(), before.rebuildFrom())
        : before;
  }

  /** Two reads at the same time note it once, and a rebuild beside them is not overwritten. */
  private boolean replace(FeedActivity before, FeedActivity after) {
    var update = new SetExpression().set(FeedActivity.LAST_READ_AT, time(after.lastReadAt()));
    if (after.storedSince() != null && !after.storedSince().equals(before.storedSince())) {
      update.set(FeedActivity.STORED_SINCE, time(after.storedSince()));
    }
    if (after.rebuildFrom() != null && !after.rebuildFrom().equals(before.rebuildFrom())) {
      update.set(FeedActivity.REBUILD_FROM, time(after.rebuildFrom()));
    }
    return update(
        before.key(), update.when(FeedActivity.LAST_READ_AT, "=", time(before.lastReadAt())));
  }

  /**
   * Notes that a feed was brought up to date. One write unit.
   *
   * @param awoken the row as it was when that began
   * @param since the feed holds everything since then
   * @return whether nobody did so before, and the reader did not fall asleep again meanwhile
   */
  public boolean rebuilt(FeedActivity awoken, Instant since) {
    if (awoken.storedSince() == null) {
      return false;
    }
    return update(
        awoken.key(),
        new SetExpression()
            .set(FeedActivity.STORED_SINCE, time(since))
            .remove(FeedActivity.REBUILD_FROM)
            .when(FeedActivity.STORED_SINCE, "=", time(awoken.storedSince())));
  }

  /**
   * Whom deliveries leave out, and since when: earlier posts are delivered however late they come,
   * since the rebuild does not reach back to them. One read unit for each follower since long, none
   * for the others. Strongly consistent: a first read that is not seen here comes after the post.
   */
  public Map<AudienceMember, Instant> leftOut(Collection<AudienceMember> followers, Instant now) {
    var candidates =
        followers.stream()
            .filter(f -> f.followedAt() != null && FeedActivity.isLeftOut(f.followedAt(), now))
            .collect(Collectors.toSet());
    if (candidates.isEmpty()) {
      return Map.of();
    }
    var keys = candidates.stream().map(f -> FeedActivity.key(f.followerId())).distinct().toList();
    var lastReads =
        table.itemsAt(keys, true).stream()
            .collect(
                Collectors.toMap(
                    KeyAttributes::key,
                    item -> lastRead(item.get(FeedActivity.LAST_READ_AT), now)));
    var leftOut = new HashMap<AudienceMember, Instant>();
    for (var candidate : candidates) {
      var seen = seen(candidate, lastReads.get(FeedActivity.key(candidate.followerId())));
      if (FeedActivity.isLeftOut(seen.lastReadAt(), now)) {
        leftOut.put(candidate, seen.mayLackFrom());
      }
    }
    return leftOut;
  }

  /** Whoever follows has been here, read or not. */
  private static FeedActivity seen(AudienceMember follower, @Nullable Instant lastRead) {
    var times = Stream.of(follower.followedAt(), lastRead).filter(Objects::nonNull);
    return FeedActivity.at(follower.followerId(), times.max(Instant::compareTo).orElseThrow());
  }

  /** Where it cannot be read, a delivery too many does no harm. */
  private static Instant lastRead(@Nullable AttributeValue time, Instant now) {
    return time == null || time.s() == null ? now : Timestamps.parse(time.s());
  }

  private boolean update(Key key, SetExpression update) {
    try {
      table
          .client()
          .updateItem(update.request().tableName(table.name()).key(KeyAttributes.of(key)).build());
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }

  private static AttributeValue time(Instant time) {
    return AttributeValue.fromS(Timestamps.format(time));
  }
}
