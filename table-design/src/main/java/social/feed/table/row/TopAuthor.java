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
 * GSI1 by their number while there are any. Those are counted who began to follow in that month and
 * still do, so the row can be counted anew from the edges at any time.
 *
 * @param month in UTC, such as {@code 2026-11}
 * @param userId the account
 * @param gained below zero only while a change that belongs to it waits as a dead letter
 * @param revision how often it was written
 * @param marks per stream shard, the last sequence number that {@code gained} covers
 * @param recounts how often {@code gained} was counted anew, under its name
 */
@StoredAs(RowKind.TOP_AUTHOR)
public record TopAuthor(
    String month,
    String userId,
    long gained,
    long revision,
    Map<String, String> marks,
    Map<String, Long> recounts)
    implements Row, Ranked {
  public static final String GAINED = "gained";

  /** The first followers of an account in a month. */
  public static TopAuthor empty(String month, String userId) {
    return empty(month, userId, Map.of());
  }

  /** The same where what some marks cover is counted in it. */
  public static TopAuthor empty(String month, String userId, Map<String, String> marks) {
    return new TopAuthor(month, userId, 0, 0, marks, Map.of());
  }

  /** Where followers that an account gained at a time are counted. */
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
