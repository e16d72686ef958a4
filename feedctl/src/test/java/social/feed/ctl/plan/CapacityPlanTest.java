package social.feed.ctl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import social.feed.streams.plan.Lane;

/** What a plan adds to units: the gateway, members, scans, and the concurrency of the lanes. */
class CapacityPlanTest {
  private static final double MONTH_SECONDS = 365.25 / 12 * 86_400;

  private static PlanInputs inputs(String... arguments) {
    var options = new PlanOptions();
    new CommandLine(options).parseArgs(arguments);
    return options.inputs();
  }

  private static CapacityPlan plan(String... arguments) {
    return new CapacityPlan(inputs(arguments), new Prices(Map.of()));
  }

  private static Limit limit(CapacityPlan plan, String beginning) {
    return plan.limits().stream()
        .filter(limit -> limit.name().startsWith(beginning))
        .findFirst()
        .orElseThrow();
  }

  private static List<Object> row(CapacityPlan plan, String section, String beginning) {
    return plan.sections().stream()
        .filter(each -> each.title().equals(section))
        .flatMap(each -> each.rows().stream())
        .filter(row -> row.getFirst().toString().startsWith(beginning))
        .findFirst()
        .orElseThrow();
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
                "members in Cognito")
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
}
