package social.feed.api.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.json.tree.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.row.Key;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** Leaderboards over HTTP, with a table for each test, since they rank all accounts. */
class ITLeaderboards {
  private static final String AUTHORS = "/v1/leaderboards/authors";
  private static final String TAGS = "/v1/tags/trending";
  private static final Duration HALF_LIFE = Duration.ofHours(6);

  private FeedServer server;
  private SeedWorld world;
  private Api caller;
  private Person me;
  private long sequence = 1_000;
  private final Instant now = Instant.now();
  private final YearMonth month = YearMonth.from(now.atZone(ZoneOffset.UTC));
  private final Instant lastMonth =
      month.minusMonths(1).atDay(3).atStartOfDay(ZoneOffset.UTC).toInstant();

  @BeforeEach
  void start() {
    server = FeedServer.start(Map.of());
    world = server.world();
    me = world.user("me");
    caller = server.as(me);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void authors_ofThisMonth_areRankedByFollowersByDefault() {
    Person ann = world.user("ann");
    Person bob = world.user("bob");
    gain(ann, lastMonth, 5);
    gain(bob, now, 3);
    gain(ann, now, 1);

    assertThat(counts(caller.get(AUTHORS))).containsExactly(ann.id() + " 6", bob.id() + " 3");
    assertThat(counts(caller.get(AUTHORS + "?by=followers&period=" + month)))
        .isEqualTo(counts(caller.get(AUTHORS)));
    assertThat(counts(caller.get(AUTHORS + "?by=gained")))
        .containsExactly(bob.id() + " 3", ann.id() + " 1");
    assertThat(caller.get(AUTHORS + "?limit=1").json().get("items").get(0).get("handle"))
        .isEqualTo(JsonNode.createStringNode(ann.account().handle()));
  }

  @Test
  void authors_ofLastMonth_areRankedByTheirFollowersThen() {
    Person ann = world.user("ann");
    Person bob = world.user("bob");
    gain(ann, lastMonth, 2);
    gain(bob, now, 3);
    String period = "period=" + month.minusMonths(1);

    assertThat(counts(caller.get(AUTHORS + "?" + period))).containsExactly(ann.id() + " 2");
    assertThat(counts(caller.get(AUTHORS + "?by=gained&" + period)))
        .containsExactly(ann.id() + " 2");
    gain(ann, lastMonth, -2);
    assertThat(counts(caller.get(AUTHORS + "?" + period))).isEmpty();
    assertThat(counts(caller.get(AUTHORS + "?by=gained&" + period))).isEmpty();
  }

  @Test
  void months_withoutFollows_areEmpty() {
    gain(world.user("ann"), now, 2);

    for (String by : List.of("followers", "gained")) {
      for (YearMonth other : List.of(month.plusMonths(1), month.minusMonths(12))) {
        Answer answer = caller.get(AUTHORS + "?by=" + by + "&period=" + other);
        assertThat(Expect.status(200, answer).text()).isEqualTo("{\"items\":[]}");
      }
    }
    assertThat(caller.get(AUTHORS + "?by=gained&period=1999-01").text())
        .isEqualTo("{\"items\":[]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026", "2026-13", "2026-00", "2026-1", "26-01", "now", "2026-01-01"})
  void period_thatIsNoMonth_isRejectedWithAdvice(String period) {
    Answer answer = caller.get(AUTHORS + "?period=" + period);

    Expect.blames(400, "period", answer);
    assertThat(answer.text()).contains("such as 2026-11");
  }

  @Test
  void followers_ofAMonthTooLongAgo_areRejectedWithAdvice() {
    Answer answer = caller.get(AUTHORS + "?period=" + month.minusMonths(13));

    Expect.blames(400, "period", answer);
    assertThat(answer.text()).contains("by=gained");
  }

  @Test
  void queries_withInvalidParameters_nameTheParameter() {
    Expect.blames(400, "by", caller.get(AUTHORS + "?by=likes"));
    Expect.blames(400, "period", caller.get(AUTHORS + "?period="));
    for (String limit : List.of("0", "101", "x", "")) {
      Expect.blames(400, "limit", caller.get(AUTHORS + "?limit=" + limit));
    }
    for (String limit : List.of("0", "51", "x", "")) {
      Expect.blames(400, "limit", caller.get(TAGS + "?limit=" + limit));
    }
    Expect.status(200, caller.get(AUTHORS + "?limit=100"));
    Expect.status(200, caller.get(TAGS + "?limit=50"));
  }

  @Test
  void hiddenAuthors_areReplacedByTheNext() {
    Person gone = world.user("gone");
    Person blocked = world.user("blocked");
    Person blocking = world.user("blocking");
    Person muted = world.user("muted");
    Person ann = world.user("ann");
    int followers = 50;
    for (Person person : List.of(gone, blocked, blocking, muted, ann)) {
      gain(person, now, followers--);
    }
    me.blocks(blocked);
    blocking.blocks(me);
    me.mutes(muted);
    server
        .table()
        .client()
        .deleteItem(
            d ->
                d.tableName(server.table().table().name())
                    .key(KeyAttributes.of(User.key(gone.id()))));

    for (String by : List.of("followers", "gained")) {
      assertThat(counts(caller.get(AUTHORS + "?limit=2&by=" + by)))
          .containsExactly(muted.id() + " 47", ann.id() + " 46");
    }
    assertThat(counts(server.as(ann).get(AUTHORS + "?limit=1")))
        .containsExactly(blocked.id() + " 49");
  }

  @Test
  void tags_areRankedByRecentUse() {
    use("sea", now, 3);
    use("sun", now.minus(HALF_LIFE.multipliedBy(3)), 9);
    use("old", now.minus(HALF_LIFE.multipliedBy(9)), 99);
    use("sky", now, 1);
    use("sky", now, -1);

    Answer answer = Expect.status(200, caller.get(TAGS));
    List<String> tags = new ArrayList<>();
    for (JsonNode item : answer.json().get("items").values()) {
      tags.add(item.get("tag").getStringValue() + " " + item.get("posts").getLongValue());
      assertThat(item.get("score").getDoubleValue()).isBetween(0.5, 4.0);
    }
    assertThat(tags).containsExactly("sea 3", "sun 9");
    assertThat(caller.get(TAGS + "?limit=1").json().get("items").size()).isEqualTo(1);
  }

  @Test
  void answers_containTheirCost() {
    gain(world.user("ann"), now, 1);
    use("sea", now, 1);

    for (String path : List.of(AUTHORS, AUTHORS + "?by=gained", TAGS)) {
      Answer answer = caller.get(path);
      double units = Double.parseDouble(answer.header("X-Consumed-Read-Units").orElseThrow());
      // The local engine counts nothing for an empty partition of the index.
      assertThat(units).as(path).isBetween(0.5, path.equals(TAGS) ? 5.0 : 12.0);
      assertThat(answer.header("X-Consumed-Write-Units")).hasValue("0");
    }
  }

  /** Counts followers as the stream does. */
  private void gain(Person person, Instant at, int followers) {
    count(
        Map.of(
            User.key(person.id()),
            changes(User.FOLLOWERS_COUNT, followers),
            TopAuthor.key(at, person.id()),
            changes(TopAuthor.GAINED, followers)));
  }

  private void use(String tag, Instant at, int posts) {
    count(Map.of(TagTrend.key(HALF_LIFE, tag), changes(TagTrend.hour(at), posts)));
  }

  private void count(Map<Key, List<CountChange>> changes) {
    new Counters(server.table().table(), new CelebrityRule(1_000_000))
        .apply("shardId-00000001", changes);
  }

  private List<CountChange> changes(String attribute, int delta) {
    return List.of(new CountChange("" + ++sequence, attribute, delta));
  }

  private static List<String> counts(Answer answer) {
    List<String> counts = new ArrayList<>();
    for (JsonNode item : Expect.status(200, answer).json().get("items").values()) {
      counts.add(item.get("id").getStringValue() + " " + item.get("count").getLongValue());
    }
    return counts;
  }
}
