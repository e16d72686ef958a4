package social.feed.table.row;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import social.feed.table.kernel.declaration.Index;

/**
 * The followers that an account gained in a month: {@code TOP#<yyyy-mm>#<bucket> / USER#<id>}, in
 * GSI1 by their number while it is positive. It counts the followers who began to follow in that
 * month and still do, so the edges can be recounted at any time.
 *
 * @param month in UTC, such as {@code 2026-11}
 * @param userId the account
 * @param gained below zero only while a change that belongs to it is a dead letter
 * @param revision how often the row was written
 * @param marks per stream shard, the last sequence number that {@code gained} covers
 * @param recounts how often {@code gained} was recounted, under its name
 */
@StoredAs(RowKind.TOP_AUTHOR)
public record TopAuthor(
    String month,
    String userId,
    long gained,
    long revision,
    Map<String, String> marks,
    Map<String, Long> recounts)
    implements Row, Ranked.Recountable {
  public static final String GAINED = "gained";

  /** Returns the row of an account before its first follower of a month. */
  public static TopAuthor empty(String month, String userId) {
    return empty(month, userId, Map.of());
  }

  /** Returns the same row with shard checkpoints whose changes it already counts. */
  public static TopAuthor empty(String month, String userId, Map<String, String> marks) {
    return new TopAuthor(month, userId, 0, 0, marks, Map.of());
  }

  /** Returns the key of the row that counts a follower gained at a time. */
  public static Key key(Instant followedAt, String userId) {
    return empty(Keys.month(followedAt), userId).key();
  }

  static Optional<TopAuthor> at(Key key) {
    return Keys.isTop(key.partition())
        ? Optional.of(empty(key.partition().split("#", 3)[1], Keys.userOf(key.sort())))
        : Optional.empty();
  }

  @Override
  public TopAuthor recounted(String count, long difference) {
    var times = new HashMap<>(recounts);
    times.merge(count, 1L, Long::sum);
    return new TopAuthor(
        month, userId, gained + difference, revision + 1, marks, Map.copyOf(times));
  }

  @Override
  public TopAuthor plus(Map<String, Long> changes, Map<String, String> covered) {
    long sum = gained + changes.values().stream().mapToLong(Long::longValue).sum();
    return new TopAuthor(month, userId, sum, revision + 1, Map.copyOf(covered), recounts);
  }

  @Override
  public Row row() {
    return this;
  }

  @Override
  public Key key() {
    return new Key(Keys.top(month, userId), Keys.user(userId));
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of(userId);
  }

  @Override
  public List<Key> parents() {
    // Verification counts the follow edges instead.
    return List.of();
  }

  @Override
  public Optional<String> indexedNumber() {
    return Optional.of(REVISION);
  }

  @Override
  public Map<Index, Key> indexKeys() {
    return gained > 0
        ? Map.of(
            Index.POSTS_BY_AUTHOR,
            new Key(Keys.top(month, userId), Keys.scored(gained, Keys.user(userId))))
        : Map.of();
  }
}
