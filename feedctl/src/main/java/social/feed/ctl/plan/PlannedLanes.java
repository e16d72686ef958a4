package social.feed.ctl.plan;

import static social.feed.ctl.plan.PlannedLoad.DAY;
import static social.feed.ctl.plan.PlannedLoad.MONTH_DAYS;

import social.feed.ctl.plan.Prices.Price;
import social.feed.streams.LaneMapping;
import social.feed.streams.plan.Lane;
import social.feed.table.cost.CostFormulas;
import social.feed.table.cost.UserAction;

/** The calls of the functions behind the stream, at peak and in a month. */
final class PlannedLanes {
  /** A call to DynamoDB, and how many an effect makes one after the other. */
  private static final double CALL_SECONDS = 0.004;

  /** A call at the end of a window, which has no records and calls nothing. */
  private static final double END_SECONDS = 0.001;

  private static final double CALLS_OF_AN_EFFECT = 4;
  private static final double ENTRIES_OF_A_CALL = 25;
  private static final double POLL_SECONDS = 0.25;
  private static final double FUNCTION_GB = 2;
  private static final double ITEMS_AT_ONCE = 16;

  /**
   * How much faster than at peak a lane can work. A lane that was stopped for an hour has caught up
   * after a third of one, at peak.
   */
  private static final double HEADROOM = 4;

  private final PlannedLoad load;
  private final PlannedStorage storage;
  private final Prices prices;

  PlannedLanes(PlannedLoad load, PlannedStorage storage, Prices prices) {
    this.load = load;
    this.storage = storage;
    this.prices = prices;
  }

  /**
   * A lane at peak.
   *
   * @param records a second
   * @param invocations a second
   * @param seconds of an invocation
   * @param age of the records of a healthy lane, in seconds
   * @param most invocations that can run at once
   */
  record AtPeak(double records, double invocations, double seconds, double age, double most) {
    /** Returns the invocations that run at once on average. */
    double busy() {
      return invocations * seconds;
    }

    /** Returns the invocations at once that the lane should be allowed. */
    double concurrency() {
      return Math.ceil(Math.min(most, HEADROOM * busy()));
    }
  }

  AtPeak lane(Lane lane, double factor) {
    double records = 0;
    for (var action : load.times().entrySet()) {
      var effects = action.getKey().effects();
      records += action.getValue() * (lane == Lane.COUNTS ? effects.counts() : effects.effects());
    }
    if (lane == Lane.COUNTS) {
      records += load.aDay(UserAction.POST) * (load.in().tags() - 1);
      records += load.aDay(UserAction.READ_ALL) * (load.marked() - CostFormulas.MARKED);
    } else {
      records += load.chunksADay();
    }
    double aSecond = records / DAY * factor;
    double window = LaneMapping.of(lane).batchingWindow().toMillis() / 1e3;
    if (lane == Lane.COUNTS) {
      double batches = Math.min(aSecond, storage.shards() / window);
      double items = batches == 0 ? 0 : aSecond / batches;
      double seconds = 2 * CALL_SECONDS * Math.max(1, Math.ceil(items / ITEMS_AT_ONCE));
      double ends = Math.min(aSecond, storage.shards() / tumblingSeconds());
      double invocations = batches + ends;
      double busy = batches * seconds + ends * END_SECONDS;
      return new AtPeak(
          aSecond,
          invocations,
          invocations == 0 ? 0 : busy / invocations,
          POLL_SECONDS + window + seconds,
          storage.shards());
    }
    double entries = load.entriesADay(load.in().threshold()) / DAY * factor;
    double most = storage.shards() * LaneMapping.of(Lane.EFFECTS).batchesOfAShard();
    double invocations = Math.min(aSecond, most / POLL_SECONDS);
    double work =
        aSecond * CALLS_OF_AN_EFFECT * CALL_SECONDS + entries / ENTRIES_OF_A_CALL * CALL_SECONDS;
    double seconds = invocations == 0 ? 0 : work / invocations;
    return new AtPeak(
        aSecond,
        invocations,
        seconds,
        POLL_SECONDS + seconds + load.largestDeliverySeconds(load.in().threshold()),
        most);
  }

  /** Returns how long a window of the counts lane is. Each shard with records calls at its end. */
  private static double tumblingSeconds() {
    return LaneMapping.of(Lane.COUNTS).tumblingWindow().orElseThrow().toMillis() / 1e3;
  }

  Section section() {
    var section =
        Section.of(
            "lanes at peak",
            "lane",
            "records/s",
            "invocations/s",
            "seconds each",
            "busy at once",
            "concurrency",
            "shards",
            "iterator age (s)",
            "dollars a month");
    for (var lane : Lane.values()) {
      var peak = lane(lane, load.in().peak());
      section.row(
          lane.alias(),
          peak.records(),
          peak.invocations(),
          peak.seconds(),
          peak.busy(),
          peak.concurrency(),
          storage.shards(),
          peak.age(),
          dollars(lane));
    }
    return section
        .note(
            "A lane needs four times the calls that are busy at once, at most one for each shard for"
                + " counts and ten for effects. After a stop of an hour it has caught up in a third"
                + " of an hour at peak.")
        .note(
            ("Assumed: 4 ms a call, 2 calls a counted item, 16 items at once; 4 calls an effect, 25 entries"
                    + " a call; a shard is polled every 250 ms. The age is that of the last entry of"
                    + " the largest pushed post, or of a count. Every %s s, each shard with records"
                    + " calls the function of counts once more, for 1 ms, as a window ends.")
                .formatted(Section.text(tumblingSeconds())));
  }

  private double dollars(Lane lane) {
    var average = lane(lane, 1);
    double month = DAY * MONTH_DAYS;
    return average.invocations() * month / 1e6 * prices.of(Price.INVOCATIONS)
        + average.invocations()
            * average.seconds()
            * month
            * FUNCTION_GB
            * prices.of(Price.COMPUTE);
  }

  /** Returns the dollars of a month for both lanes. */
  double dollars() {
    double sum = 0;
    for (var lane : Lane.values()) {
      sum += dollars(lane);
    }
    return sum;
  }
}
