package social.feed.ctl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import social.feed.ctl.plan.Prices.Price;
import social.feed.streams.plan.Lane;
import social.feed.table.cost.UserAction;

/** What a plan adds to units: the gateway, members, scans, and the concurrency of the lanes. */
class CapacityPlanTest {
  private static final String OTHERS = "the same load on other designs";
  private static final double MONTH_SECONDS = 365.25 / 12 * 86_400;

  private static PlanInputs inputs(String... arguments) {
    var options = new PlanOptions();
    new CommandLine(options).parseArgs(arguments);
    return options.inputs();
  }

  private static CapacityPlan plan(String... arguments) {
    return planAt(Map.of(), arguments);
  }

  private static CapacityPlan planAt(Map<Price, Double> prices, String... arguments) {
    return new CapacityPlan(inputs(arguments), new Prices(prices));
  }

  private static Limit limit(CapacityPlan plan, String beginning) {
    return plan.limits().stream()
        .filter(limit -> limit.name().startsWith(beginning))
        .findFirst()
        .orElseThrow();
  }

  private static List<Object> row(CapacityPlan plan, String section, String beginning) {
    return section(plan, section).stream()
        .filter(row -> row.getFirst().toString().startsWith(beginning))
        .findFirst()
        .orElseThrow();
  }

  private static List<List<Object>> section(CapacityPlan plan, String title) {
    return plan.sections().stream()
        .filter(each -> each.title().equals(title))
        .findFirst()
        .orElseThrow()
        .rows();
  }

  private static double number(Object cell) {
    return ((Number) cell).doubleValue();
  }

  /** A user without any other action sends ten requests a day. */
  @Test
  void gateway_getsEachRequest_andBillsIt() {
    var plan =
        plan(
            ("--users 864000 --daily 864000 --pages 10 --hours 0 --posts 0 --likes 0 --comments 0"
                    + " --new-follows 0 --views 0 --profiles 0 --lists 0 --unread-counts 0"
                    + " --notifications 0 --read-all 0 --peak 2")
                .split(" "));

    assertThat(limit(plan, "requests a second at the gateway").needed())
        .isCloseTo(200, within(1e-6));
    assertThat(
            number(row(plan, "units and dollars by action", "requests at the gateway").getLast()))
        .isCloseTo(100 * MONTH_SECONDS / 1e6, withinPercentage(1e-6));
    assertThat(number(row(plan, "units and dollars by action", "members in Cognito").getLast()))
        .isCloseTo(864_000 * 0.015, withinPercentage(1e-6));
  }

  @Test
  void servers_areNeverFewerThanThoseOfTheStage_andNeedTwoProcessorsEach() {
    assertThat(limit(plan("--users", "1000"), "servers of the API").needed()).isEqualTo(3);
    assertThat(limit(plan("--users", "1000"), "vCPUs").isExceeded()).isFalse();

    var large = plan("--users", "100000000");
    assertThat(limit(large, "vCPUs").needed())
        .isEqualTo(2 * limit(large, "servers of the API").needed());
    assertThat(limit(large, "vCPUs").isExceeded()).isTrue();
  }

  @Test
  void sum_isThatOfItsRows_withTheSweep() {
    var plan = plan("--users", "1000000");
    double sum =
        Stream.of(
                "all units",
                "storage and backup",
                "functions",
                "servers of the API",
                "requests at the gateway",
                "members in Cognito",
                "sign-ins and refreshes")
            .mapToDouble(name -> number(row(plan, "units and dollars by action", name).getLast()))
            .sum();
    double units =
        plan.sections().getFirst().rows().stream()
            .takeWhile(row -> !row.getFirst().equals("all units"))
            .mapToDouble(row -> number(row.getLast()))
            .sum();

    assertThat(plan.dollars()).isCloseTo(sum, withinPercentage(1e-6));
    assertThat(number(row(plan, "units and dollars by action", "all units").getLast()))
        .isCloseTo(units, withinPercentage(1e-6));
    assertThat(number(row(plan, "units and dollars by action", "sweeps the table").getLast()))
        .isPositive();
  }

  /** The walk is a small part: for nearly each row, others are read. */
  @Test
  void verification_readsManyTimesWhatAScanReads() {
    var plan = plan("--users", "1000000");
    double scan = number(row(plan, "reads of the whole table", "the sweep").get(1));
    double verification = number(row(plan, "reads of the whole table", "./feed verify").get(1));

    assertThat(verification / scan).isBetween(10.0, 50.0);
    assertThat(limit(plan, "read units a second of the sweep").needed())
        .isCloseTo(scan / 5 / 86_400, withinPercentage(1e-6));
  }

  /** A month has the same records, however they are spread over its days. */
  @Test
  void lanes_areBilledByTheirMonth_andNotByTheirPeak() {
    var even = plan("--users", "100000", "--peak", "1");
    var uneven = plan("--users", "100000", "--peak", "10");

    for (var lane : Lane.values()) {
      assertThat(number(row(uneven, "lanes at peak", lane.alias()).get(1)))
          .isGreaterThan(9 * number(row(even, "lanes at peak", lane.alias()).get(1)));
      assertThat(number(row(uneven, "lanes at peak", lane.alias()).getLast()))
          .isEqualTo(number(row(even, "lanes at peak", lane.alias()).getLast()));
    }
  }

  @Test
  void lane_mayRunFourTimesWhatIsBusy_butNoMoreThanItsShardsAllow() {
    var prices = new Prices(Map.of());
    var load = new PlannedLoad(inputs("--users", "100000000"));
    var storage = new PlannedStorage(load, prices);
    var lanes = new PlannedLanes(load, storage, prices);

    for (var lane : Lane.values()) {
      var peak = lanes.lane(lane, 3);
      assertThat(peak.busy()).isGreaterThan(10);
      assertThat(peak.concurrency()).isEqualTo(Math.ceil(4 * peak.busy()));
    }
    assertThat(lanes.lane(Lane.EFFECTS, 1e6).concurrency()).isEqualTo(10 * storage.shards());
  }

  /** With a million users the most followed author has as many followers as the threshold. */
  @Test
  void keyOfAPulledAuthor_isReadOnlyWhereThereIsOne() {
    var name = "reads of the most followed author's posts";

    assertThat(limit(plan("--users", "1000000"), name).needed()).isZero();
    assertThat(limit(plan("--users", "1000000", "--celebrity-threshold", "50000"), name).needed())
        .isPositive();
  }

  /** A member who comes in four hours of a day needs four tokens. */
  @Test
  void tokens_areOneForEachHourOfUse_andPaidAboveTheDefault() {
    var few = plan("--users 864000 --daily 864000 --hours 3 --peak 2".split(" "));
    var many = plan("--users 8640000 --daily 8640000 --hours 3 --peak 2".split(" "));
    var name = "sign-ins and refreshes";

    assertThat(limit(few, name).needed()).isCloseTo(80, withinPercentage(1e-6));
    assertThat(number(row(few, "units and dollars by action", name).getLast())).isZero();
    assertThat(limit(many, name).needed()).isCloseTo(800, withinPercentage(1e-6));
    assertThat(number(row(many, "units and dollars by action", name).getLast()))
        .isCloseTo(680 * 20, withinPercentage(1e-6));
    assertThat(limit(plan("--users=1000", "--accounts=50000000"), "members of a pool").isExceeded())
        .isTrue();
  }

  /** Each of eight keys gets two units of an eighth of the changes. */
  @Test
  void rankings_getEachFollowUnfollowAndUse() {
    var plan =
        plan(
            "--users 86400 --daily 86400 --new-follows 5 --unfollows 3 --posts 2 --tags 4 --peak 10"
                .split(" "));

    assertThat(limit(plan, "places of accounts").needed()).isCloseTo(20, withinPercentage(1e-6));
    assertThat(limit(plan, "places of tags").needed()).isCloseTo(20, withinPercentage(1e-6));
    assertThat(limit(plan, "a tag that a tenth").needed()).isCloseTo(8, withinPercentage(1e-6));
  }

  /** What the plan bills for the registry is read at one key. */
  @Test
  void registry_isOneKeyForTheReadsOfAllServers() {
    var even = plan("--users", "1000000000", "--peak", "1");
    double billed =
        Stream.of("reads the registry", "reads the revision")
            .mapToDouble(name -> number(row(even, "units and dollars by action", name).get(5)))
            .sum();
    var key = "reads of the registry";

    assertThat(limit(even, key).needed()).isCloseTo(billed, withinPercentage(1e-6));
    assertThat(limit(even, key).isExceeded()).isTrue();
    assertThat(
            limit(plan("--users", "1000000000", "--celebrity-threshold", "1000000"), key)
                .isExceeded())
        .isFalse();
  }

  /** A server that knows whom the reader follows still looks for each new celebrity. */
  @Test
  void newCelebrity_isLookedForByEachPageThatListsNothing() {
    var settled = "--users 864000000 --daily 864000000 --pages 10 --hours 3 --peak 1";
    var key = "reads of the edges of an author who has just become a celebrity";

    assertThat(limit(plan((settled + " --new-follows 0").split(" ")), key).needed())
        .isCloseTo(60_000, withinPercentage(1e-6));
    assertThat(limit(plan((settled + " --new-follows 9").split(" ")), key).needed()).isZero();
    assertThat(limit(plan("--users", "1000000"), key).needed()).isZero();
  }

  @Test
  void famousPost_isLikedAndNotifiesAtKeysOfItsAuthor() {
    var plan =
        plan(
            "--users 86400 --pages 10 --likes 20 --comments 10 --new-follows 0 --follows 100"
                .split(" "));
    double likes = limit(plan, "likes of the most followed").needed();

    assertThat(likes).isPositive();
    assertThat(limit(plan, "the same after a thousand likes").needed())
        .isCloseTo(likes / 16, withinPercentage(1e-6));
    assertThat(limit(plan, "likes and comments").needed())
        .isCloseTo(1.5 * likes, withinPercentage(1e-6));
    assertThat(limit(plan, "notifications of the most followed author").needed())
        .isCloseTo(1.5 * likes, withinPercentage(1e-6));
  }

  @Test
  void profileOfAViralAuthor_isReadForEachView() {
    var plan = plan("--users 36000 --daily 36000 --views 4 --profiles 3".split(" "));

    assertThat(limit(plan, "views of a viral post").needed()).isEqualTo(10);
    assertThat(limit(plan, "views of the profile").needed()).isEqualTo(7.5);
    assertThat(limit(plan, "reads of a hot account").needed()).isEqualTo(1.5);
  }

  /** An entry is one unit at a key of its post; the other one is at the key of its reader. */
  @Test
  void lastReader_waitsForOneUnitOfEachEntry() {
    var load = new PlannedLoad(inputs("--users", "10000000", "--celebrity-threshold", "100000"));

    assertThat(load.largestDeliverySeconds(100_000)).isEqualTo(25);
  }

  /** The functions of the lanes depend a little on the threshold, and the curve leaves them out. */
  @Test
  void curve_differsByWhatTwoPlansDiffer() {
    var users = "1000000000";
    var low = plan("--users", users, "--celebrity-threshold", "100000");
    var high = plan("--users", users, "--celebrity-threshold", "2000000");
    double curve = ofThreshold(high, "2000000") - ofThreshold(low, "100000");
    double functions = functions(high) - functions(low);
    double plans = high.dollars() - low.dollars();

    assertThat(curve).isCloseTo(plans - functions, withinPercentage(0.1));
    assertThat(curve).isCloseTo(plans, withinPercentage(2));
  }

  private static double ofThreshold(CapacityPlan plan, String threshold) {
    return number(
        row(plan, "celebrity threshold", Double.toString(Double.parseDouble(threshold))).get(4));
  }

  private static double functions(CapacityPlan plan) {
    return number(row(plan, "units and dollars by action", "functions").getLast());
  }

  /** A call that marks more notifications changes as many of them. */
  @Test
  void countsLane_getsEachMarkedNotification_howeverFewCallsMarkThem() {
    double many = records("1");

    assertThat(records("0.5")).isCloseTo(many, withinPercentage(1e-6));
    assertThat(records("0.1")).isCloseTo(many, withinPercentage(1e-6));
    assertThat(records("0")).isLessThan(many);
  }

  /** Returns the records of the counts lane; a user gets thirteen notifications a day. */
  private static double records(String readAll) {
    var plan = plan("--users", "100000", "--read-all", readAll);
    return number(row(plan, "lanes at peak", Lane.COUNTS.alias()).get(1));
  }

  /** The end of a window calls the function of counts once more for each shard with records. */
  @Test
  void countsLane_isCalledOnceMoreForEachWindowOfAShard() {
    var prices = new Prices(Map.of());
    var load = new PlannedLoad(inputs("--users", "1000000"));
    var storage = new PlannedStorage(load, prices);
    var lanes = new PlannedLanes(load, storage, prices);
    double shards = storage.shards();

    var busy = lanes.lane(Lane.COUNTS, 1e6);
    assertThat(busy.invocations()).isCloseTo(shards + shards / 10, withinPercentage(1e-6));
    assertThat(busy.most()).isEqualTo(shards);
    var idle = lanes.lane(Lane.COUNTS, 1e-6);
    assertThat(idle.invocations()).isCloseTo(2 * idle.records(), withinPercentage(1e-6));
    assertThat(idle.busy()).isCloseTo(idle.records() * 0.009, withinPercentage(1e-6));
    assertThat(lanes.lane(Lane.COUNTS, 0).busy()).isZero();
  }

  /**
   * Counted from the published keys: an entry for each of 20 followers and the post; a like and its
   * count; an edge and its mirror; half a unit for each item of 4 KB that is read weakly.
   */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          writes a post,                 0,    21, -,   -
          likes a post,                  0,    2,  -,   -
          follows an account,            0,    2,  0,   5
          unfollows,                     0,    2,  0,   5
          reads a page of the home feed, 15.5, 0,  -,   -
          reads a page of 20 followers,  10.5, 0,  0.5, 0
          views a profile,               1,    0,  -,   -
          views a post,                  1,    0,  -,   -
          """)
  void otherDesigns_costWhatTheirKeysSay(
      String action, double reads, double writes, Double readsOfTwo, Double writesOfTwo) {
    var row = row(plan("--users 1000 --follows 20 --unfollows 1".split(" ")), OTHERS, action);

    assertThat(number(row.get(3))).isCloseTo(reads, within(1e-6));
    assertThat(number(row.get(4))).isCloseTo(writes, within(1e-3));
    assertThat(row.subList(5, 7))
        .containsExactly(
            readsOfTwo == null ? "-" : readsOfTwo, writesOfTwo == null ? "-" : writesOfTwo);
  }

  /** The request and all its effects, as {@link UserAction} has them. */
  @Test
  void otherDesigns_areComparedWithAllThatAnActionCostsHere() {
    var like = row(plan("--users", "1000"), OTHERS, "likes a post");

    assertThat(like.subList(1, 3)).containsExactly(8.5, 7.0);
  }

  /** A thousand users like two posts each a day, and do nothing else. */
  @Test
  void otherDesigns_sumUpTheDollarsOfAMonth_withoutWhatNoOneDoes() {
    var plan =
        planAt(
            Map.of(Price.READS, 0.1, Price.WRITES, 1.0),
            ("--users 1000 --daily 1000 --likes 2 --pages 0 --hours 0 --posts 0 --comments 0"
                    + " --new-follows 0 --views 0 --profiles 0 --lists 0 --unread-counts 0"
                    + " --notifications 0 --read-all 0")
                .split(" "));
    double likes = 2_000 * MONTH_SECONDS / 86_400 / 1e6;

    assertThat(section(plan, OTHERS)).hasSize(2);
    assertThat(
            row(plan, OTHERS, "dollars a month of these").stream()
                .skip(1)
                .map(CapacityPlanTest::number))
        .usingComparatorForType(
            (one, other) -> Math.abs(one - other) < 1e-9 ? 0 : Double.compare(one, other),
            Double.class)
        .containsExactly(8.5 * likes * 0.1, 7 * likes, 0.0, 2 * likes, 0.0, 0.0);
  }
}
