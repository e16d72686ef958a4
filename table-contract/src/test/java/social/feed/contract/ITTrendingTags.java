package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.table.access.AccessPattern;
import social.feed.table.counter.Counters;
import social.feed.table.ranking.TrendingTag;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Keys;
import social.feed.table.row.TagTrend;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.OnlyEmbedded;
import social.feed.testkit.OnlyEmbedded.Reason;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** FEED-015: GSI1, highest first, eight partitions merged, with scores computed from the rows. */
class ITTrendingTags {
  private static final CelebrityRule RULE = new CelebrityRule(1_000_000);
  private static final Duration HALF_LIFE = Duration.ofHours(6);
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  /** Shards whose uses of a tag are counted in different rows. */
  private static final List<String> SHARDS =
      IntStream.range(0, 8).mapToObj(i -> "shardId-0000000" + i).toList();

  private TestTable table;
  private TrendingTags tags;
  private int sequence;

  @BeforeEach
  void start() {
    table = TestTable.start();
    tags = new TrendingTags(table.table(), HALF_LIFE);
  }

  @AfterEach
  void stop() {
    table.close();
  }

  @Test
  void use_afterEachHalfLife_countsHalfAsMuch() {
    use("sea", NOON, 4);
    use("sun", NOON.minus(HALF_LIFE), 4);
    use("sky", NOON.minus(HALF_LIFE.multipliedBy(2)), 4);

    assertThat(tags.highest(NOON))
        .containsExactly(tag("sea", 4, 4), tag("sun", 2, 4), tag("sky", 1, 4));
    assertThat(tags.highest(NOON.plus(HALF_LIFE)))
        .containsExactly(tag("sea", 2, 4), tag("sun", 1, 4), tag("sky", 0.5, 4));
  }

  @Test
  void uses_ofSeveralHours_addUp() {
    use("sea", NOON, 1);
    use("sea", NOON.minus(HALF_LIFE), 3);
    use("sun", NOON, 2);

    assertThat(tags.highest(NOON)).containsExactly(tag("sea", 2.5, 4), tag("sun", 2, 2));
  }

  @Test
  void uses_countedForSeveralShards_areOneTag() {
    for (var shard : SHARDS) {
      use(shard, "sea", NOON, 1);
    }
    use("sun", NOON, 5);

    assertThat(tags.highest(NOON)).containsExactly(tag("sea", 8, 8), tag("sun", 5, 5));
  }

  @Test
  void deletion_countedForAnotherShard_subtractsTheAddedUse() {
    use(SHARDS.getFirst(), "sea", NOON, 3);
    for (var shard : SHARDS.subList(1, 4)) {
      use(shard, "sea", NOON, -1);
    }

    assertThat(tags.highest(NOON)).isEmpty();
    use(SHARDS.getLast(), "sea", NOON, 1);
    assertThat(tags.highest(NOON)).containsExactly(tag("sea", 1, 1));
  }

  @Test
  void tag_unusedForEightHalfLives_isRemoved() {
    use("sea", NOON, 1);

    assertThat(tags.highest(NOON.plus(HALF_LIFE.multipliedBy(8)))).hasSize(1);
    assertThat(tags.highest(NOON.plus(HALF_LIFE.multipliedBy(8)).plusSeconds(3_600))).isEmpty();
    assertThat(table.table().getAll(rows("sea"), true))
        .singleElement()
        .extracting(row -> ((TagTrend) row).expiresAt())
        .isEqualTo(NOON.plus(HALF_LIFE.multipliedBy(8)).plus(Duration.ofDays(1)).getEpochSecond());
  }

  @Test
  void hours_tooOldComparedToTheLatest_areDropped() {
    use("sea", NOON, 1);
    use("sea", NOON.plus(HALF_LIFE.multipliedBy(9)), 1);

    assertThat(table.table().getAll(rows("sea"), true))
        .singleElement()
        .extracting(row -> ((TagTrend) row).uses().keySet())
        .asString()
        .doesNotContain(TagTrend.hour(NOON));
  }

  @Test
  void list_isReadFromEachPartitionAndScoredInOneBatch() {
    use("sea", NOON, 1);

    var observed = Observed.of(table, () -> tags.highest(NOON));

    assertThat(observed.requests())
        .filteredOn(QueryRequest.class::isInstance)
        .hasSize(Keys.BUCKETS)
        .allSatisfy(
            request -> {
              var query = (QueryRequest) request;
              assertThat(query.indexName())
                  .isEqualTo(AccessPattern.FEED_015.index().orElseThrow().indexName());
              assertThat(query.scanIndexForward()).isFalse();
              assertThat(query.filterExpression()).isNull();
            });
    assertThat(observed.requests()).filteredOn(BatchGetItemRequest.class::isInstance).hasSize(1);
    assertThat(observed.requests()).hasSize(Keys.BUCKETS + 1);
  }

  @Test
  @OnlyEmbedded(Reason.THOUSANDS_OF_CALLS)
  void list_ofVeryManyTags_isTheFiftyHighestAtABoundedCost() {
    table
        .table()
        .putAll(
            IntStream.range(0, 2_000)
                .mapToObj(
                    i ->
                        TagTrend.empty(6, "tag%04d".formatted(i), i % TagTrend.SPREAD)
                            .plus(Map.of(TagTrend.hour(NOON), 1L + i), Map.of()))
                .toList());

    var observed = Observed.of(table, () -> tags.highest(NOON));

    assertThat(observed.answer()).hasSize(50);
    assertThat(observed.answer().getFirst()).isEqualTo(tag("tag1999", 2_000, 2_000));
    assertThat(observed.answer().getLast()).isEqualTo(tag("tag1950", 1_951, 1_951));
    assertThat(observed.cost().write()).isZero();
    // For an absent key the engine counts nothing and DynamoDB half a unit: 90 more.
    assertThat(observed.cost().read()).isBetween(35.0, 60.0);
  }

  @Test
  void aThousandUsesInABatch_costThreeWriteUnits() {
    use("sea", NOON, 1);

    var cost = TestTable.costOf(() -> use("sea", NOON, 1_000));

    assertThat(cost.write()).isEqualTo(3.0);
    assertThat(tags.highest(NOON)).containsExactly(tag("sea", 1_001, 1_001));
  }

  /** The index key consists of whole numbers, so a subtraction leaves no remainder. */
  @Test
  void uses_addedAndSubtractedInAnyOrder_leaveTheSameIndexKey() {
    use("sea", NOON, 7);
    use("sea", NOON.minus(HALF_LIFE), 1);
    var before = places("sea");
    for (int hours = 0; hours < 40; hours += 3) {
      use("sea", NOON.minus(Duration.ofHours(hours)), hours + 1);
    }
    for (int hours = 39; hours >= 0; hours -= 3) {
      use("sea", NOON.minus(Duration.ofHours(hours)), -hours - 1);
    }

    assertThat(places("sea")).isEqualTo(before);
  }

  @Test
  void halfLife_withAFractionOfAnHour_isRejected() {
    for (var wrong : List.of("PT30M", "PT0H", "PT90M", "PT-1H", "PT169H", "P8D")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new TrendingTags(table.table(), Duration.parse(wrong)))
          .withMessageContaining("whole hours");
    }
  }

  @Test
  void differentHalfLives_haveSeparateLists() {
    use("sea", NOON, 1);

    assertThat(new TrendingTags(table.table(), Duration.ofHours(12)).highest(NOON)).isEmpty();
  }

  private List<String> places(String tag) {
    return table.table().getAll(rows(tag), true).stream()
        .flatMap(row -> row.indexKeys().values().stream())
        .map(Object::toString)
        .toList();
  }

  private static List<social.feed.table.row.Key> rows(String tag) {
    return IntStream.range(0, TagTrend.SPREAD)
        .mapToObj(spread -> TagTrend.empty(6, tag, spread).key())
        .toList();
  }

  private void use(String tag, Instant at, int posts) {
    use(SHARDS.getFirst(), tag, at, posts);
  }

  /** Applies posts, or deletions for a negative number, as the stream counts them. */
  private void use(String shard, String tag, Instant at, int posts) {
    var changes =
        Stream.generate(() -> Integer.signum(posts))
            .limit(Math.abs(posts))
            .map(delta -> Sequence.change(++sequence, TagTrend.hour(at), delta))
            .toList();
    new Counters(table.table(), RULE).apply(shard, Map.of(TagTrend.key(HALF_LIFE, tag), changes));
  }

  private static TrendingTag tag(String tag, double score, long posts) {
    return new TrendingTag(tag, score, posts);
  }
}
