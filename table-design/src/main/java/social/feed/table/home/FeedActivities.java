package social.feed.table.home;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.present;
import static social.feed.table.kernel.store.Condition.unchanged;

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
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.kernel.store.WriteOutcome;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** When users last read their feeds. Posts are not delivered to users who have not for long. */
public final class FeedActivities {
  private static final RecordSchema<FeedActivity> SCHEMA = RecordSchema.of(FeedActivity.class);

  /** The precision of the last read, which bounds the writes of a reader. */
  private static final Duration NOTED_EVERY = Duration.ofDays(1);

  private final Table table;

  public FeedActivities(Table table) {
    this.table = table;
  }

  /** Returns when a user last read, strongly consistent. One read unit. */
  public Optional<FeedActivity> get(String userId) {
    return table.get(FeedActivity.key(userId)).map(SCHEMA::mapToItem);
  }

  /**
   * Notes that a user reads. One read unit, and one write unit a day; four for the first of an
   * account. The read ends dormancy: later posts are delivered, and the stream rebuilds the ones
   * that deliveries skipped.
   *
   * @param memberSince when a reader without a row registered; empty for a user without an account,
   *     for whom nothing is noted
   * @return the row after the read
   * @throws ThrottledException when concurrent writes keep changing the same row
   */
  public FeedActivity read(String userId, Instant now, Supplier<Optional<Instant>> memberSince) {
    return table
        .retry()
        .until(
            "Activity of " + User.key(userId),
            () -> {
              var stored = get(userId);
              var since = stored.map(FeedActivity::lastReadAt).or(memberSince);
              if (since.isEmpty()) {
                return Optional.of(FeedActivity.at(userId, now));
              }
              var before = stored.orElseGet(() -> FeedActivity.at(userId, since.get()));
              var after = before.isDormant(now) ? before.awoken(now) : noted(before, now);
              if (stored.filter(after::equals).isPresent()) {
                return Optional.of(after);
              }
              return stored.isEmpty()
                  ? first(after)
                  : Optional.of(after).filter(_ -> replace(before, after).isDone());
            });
  }

  /**
   * Writes the first row of an account, unless the account is gone by now: an erasure that began
   * meanwhile may not find it.
   *
   * @return empty where another read has written a row
   */
  private Optional<FeedActivity> first(FeedActivity row) {
    var account = User.key(row.userId());
    var outcome = table.transaction().check(account, present()).put(row, absent()).commit();
    if (outcome.isDone()) {
      return Optional.of(row);
    }
    return outcome.failedAt(account)
        ? Optional.of(FeedActivity.at(row.userId(), row.lastReadAt()))
        : Optional.empty();
  }

  private static FeedActivity noted(FeedActivity before, Instant now) {
    return before.lastReadAt().plus(NOTED_EVERY).isBefore(now)
        ? new FeedActivity(before.userId(), now, before.storedSince(), before.rebuildFrom())
        : before;
  }

  /** Notes only one of two concurrent reads; neither overwrites a concurrent rebuild. */
  private WriteOutcome replace(FeedActivity before, FeedActivity after) {
    var update = new Update().set(FeedActivity.LAST_READ_AT, after.lastReadAt());
    if (after.storedSince() != null && !after.storedSince().equals(before.storedSince())) {
      update.set(FeedActivity.STORED_SINCE, after.storedSince());
    }
    if (after.rebuildFrom() != null && !after.rebuildFrom().equals(before.rebuildFrom())) {
      update.set(FeedActivity.REBUILD_FROM, after.rebuildFrom());
    }
    return table.update(
        before.key(), update, present().and(equal(FeedActivity.LAST_READ_AT, before.lastReadAt())));
  }

  /**
   * Notes how far back a rebuild reaches, before it writes entries. One write unit.
   *
   * @param awoken the row as it was when the rebuild began
   * @return the row after that; empty where it has changed
   */
  public Optional<FeedActivity> reaching(FeedActivity awoken, Instant since) {
    var noted = new FeedActivity(awoken.userId(), awoken.lastReadAt(), awoken.storedSince(), since);
    return table.put(noted, unchanged(awoken)).isDone() ? Optional.of(noted) : Optional.empty();
  }

  /**
   * Notes that a feed was rebuilt. One write unit.
   *
   * @param awoken the row as it was when the rebuild began
   * @param since the time since which the feed holds all posts
   * @return false where the rebuild was noted before, or the reader became dormant again since
   */
  public boolean rebuilt(FeedActivity awoken, Instant since) {
    if (awoken.storedSince() == null) {
      return false;
    }
    var outcome =
        table.update(
            awoken.key(),
            new Update().set(FeedActivity.STORED_SINCE, since).remove(FeedActivity.REBUILD_FROM),
            present().and(equal(FeedActivity.STORED_SINCE, awoken.storedSince())));
    return outcome.isDone();
  }

  /**
   * Returns the dormant followers, whom deliveries skip, and since when. Earlier posts are
   * delivered however late they come, since the rebuild does not reach back to them. One read unit
   * for each long-standing follower, none for the others. Strongly consistent: a first read that
   * this method does not see comes after the post.
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

  /** A follow counts as a read. */
  private static FeedActivity seen(AudienceMember follower, @Nullable Instant lastRead) {
    var times = Stream.of(follower.followedAt(), lastRead).filter(Objects::nonNull);
    return FeedActivity.at(follower.followerId(), times.max(Instant::compareTo).orElseThrow());
  }

  /** Without a valid time, an unneeded delivery does no harm. */
  private static Instant lastRead(@Nullable AttributeValue time, Instant now) {
    return time == null ? now : Timestamps.find(time.s()).orElse(now);
  }
}
