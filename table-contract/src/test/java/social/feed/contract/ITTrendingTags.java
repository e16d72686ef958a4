package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.table.access.AccessPattern;
import social.feed.table.cost.CostFormulas;
import social.feed.table.counter.Counters;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.ranking.TrendingTag;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.TagTrend;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.OnlyEmbedded;
import social.feed.testkit.OnlyEmbedded.Reason;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** FEED-015: GSI1, highest first, eight partitions merged, and nothing else is read. */
class ITTrendingTags {
  private static final CelebrityRule RULE = new CelebrityRule(1_000_000);
  private static final Duration HALF_LIFE = Duration.ofHours(6);
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  /** The shard of the tags' own partitions. */
  private static final String SHARD = "shardId-00000001";

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
  void use_takesTwoUnitsOfAPlace() {
    use("sea", NOON, 1);

    assertThat(Places.of(table, () -> use("sea", NOON, 1), TagTrend.key(HALF_LIFE, "sea")))
        .containsExactly(CostFormulas.PLACE);
  }

  @Test
  void uses_ofSeveralHours_addUp() {
    use("sea", NOON, 1);
    use("sea", NOON.minus(HALF_LIFE), 3);
    use("sun", NOON, 2);

    assertThat(tags.highest(NOON)).containsExactly(tag("sea", 2.5, 4), tag("sun", 2, 2));
  }

  @Test
  void tag_unusedForEightHalfLives_isRemoved() {
    use("sea", NOON, 1);

    assertThat(tags.highest(NOON.plus(HALF_LIFE.multipliedBy(8)))).hasSize(1);
    assertThat(tags.highest(NOON.plus(HALF_LIFE.multipliedBy(8)).plusSeconds(3_600))).isEmpty();
    assertThat(table.table().getAll(row("sea"), true))
        .singleElement()
        .extracting(row -> ((TagTrend) row).expiresAt())
        .isEqualTo(NOON.plus(HALF_LIFE.multipliedBy(8)).plus(Duration.ofDays(1)).getEpochSecond());
  }

  @Test
  void hours_tooOldComparedToTheLatest_areDropped() {
    use("sea", NOON, 1);
    use("sea", NOON.plus(HALF_LIFE.multipliedBy(9)), 1);

    assertThat(table.table().getAll(row("sea"), true))
        .singleElement()
        .extracting(row -> ((TagTrend) row).uses().keySet())
        .asString()
        .doesNotContain(TagTrend.hour(NOON));
  }

  @Test
  void tag_unusedForEightHalfLives_isRemoved_howeverOftenItWasUsed() {
    use("sea", NOON, 1);
    use("sky", NOON.minus(HALF_LIFE.multipliedBy(9)), 10_000);

    assertThat(tags.highest(NOON)).containsExactly(tag("sea", 1, 1));
  }

  @Test
  void list_isReadFromEachPartitionAndNothingElse() {
    use("sea", NOON, 1);

    var observed = Observed.of(table, () -> tags.highest(NOON));

    assertThat(observed.requests())
        .hasSize(Keys.BUCKETS)
        .allSatisfy(
            request -> {
              var query = (QueryRequest) request;
              assertThat(query.indexName())
                  .isEqualTo(AccessPattern.FEED_015.index().orElseThrow().indexName());
              assertThat(query.scanIndexForward()).isFalse();
              assertThat(query.limit()).isEqualTo(17);
              assertThat(query.filterExpression()).isNull();
            });
  }

  @Test
  @OnlyEmbedded(Reason.THOUSANDS_OF_CALLS)
  void list_ofVeryManyTags_isTheFiftyHighestForFourUnits() {
    put(IntStream.range(0, 2_000).mapToObj("tag%04d"::formatted).toList());

    var observed = Observed.of(table, () -> tags.highest(NOON));

    assertThat(observed.answer()).hasSize(50);
    assertThat(observed.answer().getFirst()).isEqualTo(tag("tag1999", 2_000, 2_000));
    assertThat(observed.answer().getLast()).isEqualTo(tag("tag1950", 1_951, 1_951));
    assertThat(observed.cost()).isEqualTo(new ConsumedUnits(4, 0));
  }

  /** Half a unit for each of eight partitions and two more pages of the one that has all. */
  @Test
  @OnlyEmbedded(Reason.THOUSANDS_OF_CALLS)
  void list_ofTagsInOnePartition_isTheFiftyHighestForFiveUnits() {
    var longest = "t".repeat(59);
    var inOne =
        IntStream.range(0, 2_000)
            .mapToObj(i -> longest + "%05d".formatted(i))
            .filter(tag -> bucket(tag).endsWith("#3"))
            .toList();
    // The local engine counts nothing for an empty partition, so each of the others has a tag.
    var others =
        IntStream.range(0, 1_000)
            .mapToObj("other%d"::formatted)
            .filter(tag -> !bucket(tag).endsWith("#3"))
            .collect(Collectors.toMap(ITTrendingTags::bucket, tag -> tag, (first, _) -> first));
    put(Stream.concat(others.values().stream(), inOne.stream()).toList());

    var observed = Observed.of(table, () -> tags.highest(NOON));

    assertThat(observed.answer()).hasSize(50);
    assertThat(observed.answer().stream().map(TrendingTag::tag))
        .isEqualTo(inOne.reversed().subList(0, 50));
    assertThat(observed.requests()).hasSize(Keys.BUCKETS + 2);
    assertThat(observed.cost()).isEqualTo(new ConsumedUnits(5, 0));
  }

  /** After a quiet time, tags of the time before still rank above those in use. */
  @Test
  void tagsInUse_areListed_whereFiftyOthersRankAboveThem() {
    var old = IntStream.range(0, 60).mapToObj("old%02d"::formatted).toList();
    put(old, NOON.minus(HALF_LIFE.multipliedBy(9)), 5_000);
    put(List.of("first", "second"), NOON, 1);

    var observed = Observed.of(table, () -> tags.highest(NOON));

    assertThat(observed.answer()).containsExactly(tag("second", 2, 2), tag("first", 1, 1));
    assertThat(observed.requests()).hasSizeLessThanOrEqualTo(Keys.BUCKETS + 8);
  }

  @Test
  void tagsInUse_fillTheList_whereOthersRankAboveThem() {
    put(
        IntStream.range(0, 120).mapToObj("old%03d"::formatted).toList(),
        NOON.minus(HALF_LIFE.multipliedBy(9)),
        200_000);
    put(IntStream.range(0, 200).mapToObj("new%03d"::formatted).toList());

    assertThat(tags.highest(NOON))
        .hasSize(50)
        .extracting(TrendingTag::tag)
        .allMatch(tag -> tag.startsWith("new"));
  }

  /** Writes tags, each used once more than the one before. */
  private void put(List<String> inOrder) {
    put(inOrder, NOON, 1);
  }

  private void put(List<String> inOrder, Instant at, long least) {
    table
        .table()
        .putAll(
            IntStream.range(0, inOrder.size())
                .mapToObj(
                    i ->
                        TagTrend.empty(6, inOrder.get(i))
                            .plus(Map.of(TagTrend.hour(at), least + i), Map.of()))
                .toList());
  }

  private static String bucket(String tag) {
    return TagTrend.empty(6, tag)
        .plus(Map.of(TagTrend.hour(NOON), 1L), Map.of())
        .indexKeys()
        .values()
        .iterator()
        .next()
        .partition();
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
    return table.table().getAll(row(tag), true).stream()
        .flatMap(row -> row.indexKeys().values().stream())
        .map(Object::toString)
        .toList();
  }

  private static List<Key> row(String tag) {
    return List.of(TagTrend.key(HALF_LIFE, tag));
  }

  /** Applies posts, or deletions for a negative number, as the stream counts them. */
  private void use(String tag, Instant at, int posts) {
    var changes =
        Stream.generate(() -> Integer.signum(posts))
            .limit(Math.abs(posts))
            .map(delta -> Sequence.change(++sequence, TagTrend.hour(at), delta))
            .toList();
    new Counters(table.table(), RULE).apply(SHARD, Map.of(TagTrend.key(HALF_LIFE, tag), changes));
  }

  private static TrendingTag tag(String tag, double score, long posts) {
    return new TrendingTag(tag, score, posts);
  }
}
