package social.feed.table.row;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.declaration.Index;

class TagTrendTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final long HALF_LIFE = 6;

  @Test
  void sortKey_ofTwoTags_hasTheOrderOfTheirWeightAtAnyTime() {
    var random = new Random(7);
    for (int round = 0; round < 2_000; round++) {
      var one = some(random, "one");
      var other = some(random, "other");
      for (int hours : new int[] {0, 5, 40, 1_000}) {
        var at = NOON.plus(Duration.ofHours(hours));
        double difference = one.worth(at) - other.worth(at);
        if (Math.abs(difference) > one.worth(at) / 1_000) {
          assertThat(sortKey(one).compareTo(sortKey(other)) > 0).isEqualTo(difference > 0);
        }
      }
    }
  }

  @Test
  void indexKeys_afterAllUsesWereRemoved_areEmpty() {
    var random = new Random(8);
    var trend = some(random, "sea");
    var back = new HashMap<String, Long>();
    trend.uses().forEach((hour, count) -> back.put(hour, -count));

    assertThat(trend.indexKeys()).isNotEmpty();
    assertThat(trend.plus(back, Map.of()).uses()).isEmpty();
    assertThat(trend.plus(back, Map.of()).indexKeys()).isEmpty();
  }

  @Test
  void indexKeys_belowZero_areEmpty() {
    assertThat(trend("sea").plus(Map.of(TagTrend.hour(NOON), -1L), Map.of()).indexKeys()).isEmpty();
  }

  @Test
  void sortKey_ofAnyTimeAndNumber_hasTheSameWidth() {
    for (var time :
        List.of("1970-01-01T01:00:00Z", "2026-11-20T12:00:00Z", "2099-12-31T23:00:00Z")) {
      for (long uses : new long[] {1, 1_000, 1_000_000_000}) {
        var hour = TagTrend.hour(Instant.parse(time));
        var trend = TagTrend.empty(1, "sea").plus(Map.of(hour, uses), Map.of());
        assertThat(sortKey(trend)).matches("\\d{15}#.*");
      }
    }
  }

  @Test
  void leastScore_isThatOfAUseAboutToBeDropped() {
    var halfLife = Duration.ofHours(HALF_LIFE);
    var oldest = TagTrend.oldest(NOON, halfLife);
    var trend = trend("sea").plus(Map.of(oldest, 1L), Map.of());

    assertThat(Keys.score(sortKey(trend))).isEqualTo(TagTrend.leastScore(NOON, halfLife));
    assertThat(TagTrend.Place.of(sortKey(trend)).worth(NOON, halfLife))
        .isCloseTo(1 / 256.0, Percentage.withPercentage(0.000_001));
  }

  /** The list shows weights to three decimal places. */
  @Test
  void place_ofATag_saysItsTagItsLastHourAndItsUses() {
    var random = new Random(9);
    for (int round = 0; round < 200; round++) {
      var trend = some(random, "sea").plus(Map.of(TagTrend.hour(NOON), 2_000L), Map.of());
      var place = TagTrend.Place.of(sortKey(trend));
      long uses = trend.uses().values().stream().mapToLong(Long::longValue).sum();

      assertThat(place.tag()).isEqualTo("sea");
      assertThat(place.lastHour()).isEqualTo(TagTrend.hour(NOON));
      assertThat(place.uses()).isEqualTo(uses);
      assertThat(place.worth(NOON, Duration.ofHours(HALF_LIFE)))
          .isCloseTo(trend.worth(NOON), Offset.offset(0.000_1));
    }
  }

  /** Rows from before uses were gathered by shard. They are read until they expire. */
  @Test
  void row_ofFour_keepsItsKey_andIsInNoRanking() {
    var uses = Map.of(TagTrend.hour(NOON), 3L);
    var old = new TagTrend(HALF_LIFE, "sea", 2, uses, 1, Map.of(), Map.of(), 1);

    assertThat(old.key()).isEqualTo(new Key("TREND#6#sea#2", "META"));
    assertThat(old.indexKeys()).isEmpty();
    assertThat(trend("sea").key()).isEqualTo(new Key("TREND#6#sea", "META"));
  }

  @Test
  void rows_ofManyAccountsAndTags_areDistributedEvenly() {
    var accounts = new int[Keys.BUCKETS];
    var tags = new int[Keys.BUCKETS];
    IntStream.range(0, 8_000)
        .forEach(
            i -> {
              accounts[bucket(TopAuthor.empty("2026-11", "user" + i).key())]++;
              var use = trend("tag" + i).plus(Map.of(TagTrend.hour(NOON), 1L), Map.of());
              tags[bucket(use.indexKeys().values().iterator().next())]++;
            });

    assertThat(accounts).hasSize(8);
    for (int bucket = 0; bucket < Keys.BUCKETS; bucket++) {
      assertThat(accounts[bucket]).isBetween(800, 1_200);
      assertThat(tags[bucket]).isBetween(800, 1_200);
    }
  }

  private static int bucket(Key key) {
    return Integer.parseInt(key.partition().substring(key.partition().lastIndexOf('#') + 1));
  }

  private static TagTrend some(Random random, String tag) {
    var uses = new HashMap<String, Long>();
    for (int i = 0; i < 5; i++) {
      var hour = TagTrend.hour(NOON.minus(Duration.ofHours(random.nextInt(40))));
      uses.put(hour, 1L + random.nextInt(100));
    }
    return trend(tag).plus(uses, Map.of());
  }

  private static TagTrend trend(String tag) {
    return TagTrend.empty(HALF_LIFE, tag);
  }

  private static String sortKey(TagTrend trend) {
    return requireNonNull(trend.indexKeys().get(Index.POSTS_BY_AUTHOR)).sort();
  }
}
