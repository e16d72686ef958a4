package social.feed.ctl.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import social.feed.ctl.plan.Prices.Price;
import social.feed.streams.LaneMapping;
import social.feed.streams.plan.Lane;
import social.feed.table.cost.CostFormulas;
import social.feed.table.cost.UserAction;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.RowKind;

/**
 * Units, dollars, storage and limits of a platform of a given size. The costs of actions are those
 * that tests assert ({@link UserAction}, {@link CostFormulas}); everything else that it assumes is
 * a constant here.
 */
final class CapacityPlan {
  private static final double DAY = 86_400;
  private static final double MONTH_DAYS = 365.25 / 12;
  private static final double GB = 1e9;

  /** A partition's limits (developer guide, "Burst and adaptive capacity"). */
  static final double PARTITION_BYTES = 10 * GB;

  static final double PARTITION_WRITES = 1_000;
  static final double PARTITION_READS = 3_000;

  /** Default quotas of an account ("Quotas in Amazon DynamoDB", "Lambda quotas"). */
  private static final double TABLE_UNITS = 40_000;

  private static final double CONCURRENCY = 1_000;

  /** Of the stage {@code prod} in {@code infra/cdk}, which this module does not depend on. */
  private static final double STAGE_UNITS = 20_000;

  private static final double STAGE_COUNTS = 100;
  private static final double STAGE_TASKS = 30;
  private static final double STAGE_SWEEP = 500;

  /** From six days on, an erasure may take longer than a month. */
  private static final double SWEEP_DAYS = 5;

  private static final double READ_BYTES = 4_096;

  /** A call to DynamoDB, and how many an effect makes one after the other. */
  private static final double CALL_SECONDS = 0.004;

  private static final double CALLS_OF_AN_EFFECT = 4;
  private static final double ENTRIES_OF_A_CALL = 25;
  private static final double POLL_SECONDS = 0.25;
  private static final double FUNCTION_GB = 2;
  private static final double ITEMS_AT_ONCE = 16;

  /** Requests a second that a task of the API answers. */
  private static final double REQUESTS_OF_A_SERVER = 500;

  /** Partitions of a post's entries, as {@code feed.limits.feed-shards}. */
  private static final double FEED_SHARDS = 4;

  /** Each celebrity crosses the threshold once in so many days. */
  private static final double DAYS_BETWEEN_FLIPS = 100;

  private static final double AUTHORS_OF_A_REGISTRY_UNIT = 20;
  private static final double REGISTRY_SECONDS = 300;

  /** More pulled authors take a second round of queries for a page. */
  static final double QUERIES_AT_ONCE = 16;

  /** How late the last reader of a pushed post may get it. */
  private static final double LATEST_SECONDS = 600;

  /** The longest bar of the curve, for twice the least dollars and more. */
  private static final int BAR = 30;

  /** A bar begins at this part of the least dollars, so that small differences show. */
  private static final double LEAST = 0.9;

  private static final double PAGE_POSTS = 20;
  private static final double PAGE_AUTHORS = 10;
  private static final double UNREAD_KEPT_DAYS = 90;
  private static final double LIKE_BUCKETS = 16;

  private final PlanInputs in;
  private final Prices prices;
  private final Popularity popularity;
  private final StoredRows stored;
  private final Map<UserAction, Double> times = new LinkedHashMap<>();

  /**
   * A line of the bill.
   *
   * @param aDay how often it happens
   * @param read read units of one
   * @param write write units of one
   */
  private record Line(String name, double aDay, double read, double write) {
    double reads() {
      return aDay * read;
    }

    double writes() {
      return aDay * write;
    }
  }

  CapacityPlan(PlanInputs inputs, Prices prices) {
    this.in = inputs;
    this.prices = prices;
    this.popularity = inputs.popularity();
    this.stored = new StoredRows(inputs.idLength());
    var a = inputs.a();
    put(UserAction.PAGE, Math.max(0, a.pages() - afterFollow()));
    put(UserAction.PAGE_AFTER_FOLLOW, afterFollow());
    put(UserAction.FIRST_PAGE_OF_A_DAY, Math.min(a.pages(), 1));
    put(UserAction.FIRST_PAGE_OF_AN_HOUR, Math.min(Math.max(0, a.pages() - 1), a.hours()));
    put(UserAction.VIEW_POST, a.views());
    put(UserAction.VIEW_PROFILE, a.profiles());
    put(UserAction.LIST, a.lists());
    put(UserAction.UNREAD_COUNT, a.counts());
    put(UserAction.NOTIFICATIONS, a.notifications());
    put(UserAction.READ_ALL, a.readAll());
    put(UserAction.LIKE, a.likes());
    put(UserAction.COMMENT, a.comments());
    put(UserAction.FOLLOW, a.follows());
    put(UserAction.UNFOLLOW, a.unfollows());
    put(UserAction.POST, a.posts());
  }

  private void put(UserAction action, double aUserAndDay) {
    times.put(action, aUserAndDay * in.daily());
  }

  private double afterFollow() {
    return Math.min(in.a().pages(), in.a().follows() + in.a().unfollows());
  }

  private double aDay(UserAction action) {
    return times.getOrDefault(action, 0.0);
  }

  // What posts cost

  /** Returns the cost of a post behind the stream, on average over the authors. */
  private ConsumedUnits behindAPost(double threshold) {
    double read =
        popularity.average(followers -> delivered(followers).read(), 0, threshold)
            + popularity.accountsFrom(threshold) * CostFormulas.pulledPost().read();
    double write =
        popularity.average(followers -> delivered(followers).write(), 0, threshold)
            + popularity.accountsFrom(threshold) * CostFormulas.pulledPost().write();
    return new ConsumedUnits(read, write).plus(CostFormulas.tags(in.tags()));
  }

  /** Absent followers are read and get no entry. */
  private ConsumedUnits delivered(double followers) {
    var all = CostFormulas.delivery(Math.round(followers));
    double absent = (1 - in.active()) * followers;
    var each = CostFormulas.delivery(CostFormulas.CHUNK - 1);
    double share = absent / (CostFormulas.CHUNK - 1);
    var present = CostFormulas.delivery(0);
    return new ConsumedUnits(
        all.read()
            - share * (each.read() - present.read())
            + absent * CostFormulas.absentFollower().read(),
        all.write() - share * (each.write() - present.write()));
  }

  private double pushedFollowers(double threshold) {
    return popularity.mean() - popularity.followsFrom(threshold);
  }

  /** Returns the entries that are written in a day. */
  private double entriesADay() {
    return aDay(UserAction.POST) * (1 + in.active() * pushedFollowers(in.threshold()));
  }

  private double chunksADay() {
    return aDay(UserAction.POST)
        * popularity.average(
            followers -> Math.ceil(followers / CostFormulas.CHUNK),
            CostFormulas.CHUNK,
            in.threshold());
  }

  private double notificationsADay() {
    return aDay(UserAction.LIKE) + aDay(UserAction.COMMENT) + aDay(UserAction.FOLLOW);
  }

  private double celebrities(double threshold) {
    return popularity.accountsFrom(threshold) * in.accounts();
  }

  // The bill

  private List<Line> lines() {
    var lines = new ArrayList<>(linesOfActions());
    lines.addAll(pulls(in.threshold()));
    return lines;
  }

  private List<Line> linesOfActions() {
    var lines = new ArrayList<Line>();
    times.forEach(
        (action, aDay) -> {
          if (aDay > 0) {
            var units = action.request().plus(behind(action));
            lines.add(new Line(name(action), aDay, units.read(), units.write()));
          }
        });
    return lines;
  }

  /** Returns an action with the sizes of this plan. */
  private String name(UserAction action) {
    return switch (action) {
      case POST ->
          "writes a post, delivered to %s followers on average"
              .formatted(Section.text(in.active() * pushedFollowers(in.threshold())));
      case READ_ALL -> "marks %d notifications as read".formatted(marked());
      default -> action.does();
    };
  }

  private int marked() {
    return Math.clamp(
        Math.round(notificationsADay() / aDay(UserAction.READ_ALL)), 0, Integer.MAX_VALUE / 4);
  }

  private ConsumedUnits behind(UserAction action) {
    return switch (action) {
      case POST -> behindAPost(in.threshold());
      case READ_ALL -> CostFormulas.readAll(marked());
      default -> action.behind();
    };
  }

  /** Returns what readers and servers pay for authors who are pulled from some threshold on. */
  private List<Line> pulls(double threshold) {
    double celebrities = celebrities(threshold);
    double pages = in.a().pages() * in.daily();
    double cold =
        aDay(UserAction.FIRST_PAGE_OF_A_DAY)
            + aDay(UserAction.FIRST_PAGE_OF_AN_HOUR)
            + aDay(UserAction.PAGE_AFTER_FOLLOW);
    double flips = celebrities / DAYS_BETWEEN_FLIPS;
    double registryReads =
        Math.min(DAY, Math.max(flips, DAY / Math.max(REGISTRY_SECONDS, celebrities / 10)));
    var lines = new ArrayList<Line>();
    lines.add(
        new Line(
            "pulls %s authors for a page".formatted(Section.text(pulledAPage(threshold))),
            pages,
            CostFormulas.pulledAuthors(pulledAPage(threshold)).read(),
            0));
    lines.add(
        new Line(
            "finds the pulled authors of a reader",
            celebrities < 1 ? 0 : cold,
            CostFormulas.findPulledAuthors(celebrities, in.follows()),
            0));
    lines.add(
        new Line(
            "reads the registry of pulled authors, on %s servers"
                .formatted(Section.text(servers())),
            servers() * registryReads,
            Math.max(1, celebrities / AUTHORS_OF_A_REGISTRY_UNIT),
            0));
    lines.add(new Line("reads the revision of the registry", servers() * DAY, 0.5, 0));
    return lines;
  }

  private double pulledAPage(double threshold) {
    return popularity.followsFrom(threshold);
  }

  private double requestsADay() {
    return times.entrySet().stream()
        .filter(
            it ->
                it.getKey() != UserAction.FIRST_PAGE_OF_A_DAY
                    && it.getKey() != UserAction.FIRST_PAGE_OF_AN_HOUR)
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  private double servers() {
    return Math.max(1, Math.ceil(requestsADay() / DAY * in.peak() / REQUESTS_OF_A_SERVER));
  }

  /** Returns the units of a day. */
  private ConsumedUnits unitsADay() {
    return sum(lines());
  }

  /** Returns the units of a day without those for pulled authors. */
  ConsumedUnits unitsOfActions() {
    return sum(linesOfActions());
  }

  private static ConsumedUnits sum(List<Line> lines) {
    return new ConsumedUnits(
        lines.stream().mapToDouble(Line::reads).sum(),
        lines.stream().mapToDouble(Line::writes).sum());
  }

  // Sections

  List<Section> sections() {
    return List.of(
        units(), storage(), partitions(), hotKeys(), lanes(), quotas(), threshold(), others());
  }

  private Section units() {
    var section =
        Section.of(
            "units and dollars by action",
            "action",
            "a second",
            "at peak",
            "read units each",
            "write units each",
            "reads/s",
            "writes/s",
            "dollars a month");
    double reads = 0;
    double writes = 0;
    for (var line : lines()) {
      section.row(
          line.name(),
          line.aDay() / DAY,
          line.aDay() / DAY * in.peak(),
          line.read(),
          line.write(),
          line.reads() / DAY,
          line.writes() / DAY,
          prices.units(line.reads(), line.writes()) * MONTH_DAYS);
      reads += line.reads();
      writes += line.writes();
    }
    return section
        .row(
            "all units",
            "",
            "",
            "",
            "",
            reads / DAY,
            writes / DAY,
            prices.units(reads, writes) * MONTH_DAYS)
        .row("storage and backup", "", "", "", "", "", "", storageDollars())
        .row("functions", "", "", "", "", "", "", functionDollars())
        .row("servers of the API", "", "", "", "", "", "", servers() * prices.of(Price.SERVER))
        .row("sum", "", "", "", "", "", "", dollars())
        .note(
            "Each action is costed as if its records were alone in their batches and nothing was"
                + " cached, so this is an upper bound.");
  }

  /** Returns the dollars of a month. */
  double dollars() {
    var units = unitsADay();
    return prices.units(units.read(), units.write()) * MONTH_DAYS
        + storageDollars()
        + functionDollars()
        + servers() * prices.of(Price.SERVER);
  }

  // Storage

  private Map<RowKind, Double> rows() {
    double kept = in.months() * MONTH_DAYS;
    double posts = aDay(UserAction.POST);
    var rows = new LinkedHashMap<RowKind, Double>();
    rows.put(RowKind.FOLLOW, in.accounts() * in.follows());
    rows.put(RowKind.FEED_ENTRY, entriesADay() * days(FeedEntry.KEPT.toDays() + 1));
    rows.put(RowKind.LIKE, aDay(UserAction.LIKE) * kept);
    rows.put(RowKind.NOTIFICATION, notificationsADay() * days(UNREAD_KEPT_DAYS));
    rows.put(RowKind.COMMENT, aDay(UserAction.COMMENT) * kept);
    rows.put(RowKind.POST, posts * kept);
    rows.put(RowKind.POST_TAG, posts * in.tags() * kept);
    rows.put(RowKind.USER, (double) in.accounts());
    rows.put(RowKind.HANDLE_CLAIM, (double) in.accounts());
    rows.put(RowKind.FOLLOW_QUOTA, (double) in.accounts());
    rows.put(RowKind.ACTIVITY, (double) in.users());
    rows.put(RowKind.INBOX, (double) in.users());
    rows.put(
        RowKind.TOP_AUTHOR,
        in.months() * Math.min(in.accounts(), aDay(UserAction.FOLLOW) * MONTH_DAYS));
    rows.put(RowKind.EFFECT_MARK, posts * days(Retention.PROCESSED_EVENTS.toDays()));
    rows.put(RowKind.FAN_OUT_PLAN, posts * days(Retention.FAN_OUT_PLANS.toDays()));
    rows.put(RowKind.FAN_OUT_CHUNK, chunksADay() * days(Retention.FAN_OUT_PLANS.toDays()));
    rows.put(RowKind.IDEMPOTENCY_RECORD, posts * days(1));
    rows.put(RowKind.PULLED_AUTHOR, celebrities(in.threshold()));
    return rows;
  }

  /** Rows of a kind that expires never pile up for longer than the platform is old. */
  private double days(double lifetime) {
    return Math.min(lifetime, in.months() * MONTH_DAYS);
  }

  private Section storage() {
    var section =
        Section.of(
            "storage by row kind",
            "row kind",
            "rows",
            "bytes in the table",
            "bytes in indexes",
            "GB",
            "dollars a month");
    double all = 0;
    for (var kind : rows().entrySet()) {
      var size = stored.of(kind.getKey());
      double gb = kind.getValue() * size.all() / GB;
      section.row(
          kind.getKey().name(),
          kind.getValue(),
          (double) size.table(),
          (double) (size.all() - size.table()),
          gb,
          gb * prices.of(Price.STORAGE));
      all += gb;
    }
    return section
        .row("all", "", "", "", all, all * prices.of(Price.STORAGE))
        .row("point-in-time recovery", "", "", "", tableGb(), tableGb() * prices.of(Price.BACKUP))
        .note(
            "After %s months. Bytes include the 100 that DynamoDB adds to each item and index entry."
                .formatted(Section.text(in.months())));
  }

  /** Returns the bytes of the table under an empty name, and of each index. */
  private Map<String, Double> bytesByIndex() {
    var all = new TreeMap<String, Double>();
    rows()
        .forEach(
            (kind, count) -> {
              var size = stored.of(kind);
              all.merge("", count * size.table(), Double::sum);
              size.indexes().forEach((index, each) -> all.merge(index, count * each, Double::sum));
            });
    return all;
  }

  private double tableGb() {
    return bytesByIndex().getOrDefault("", 0.0) / GB;
  }

  /** Returns the size of table and indexes. */
  double storedGb() {
    return bytesByIndex().values().stream().mapToDouble(it -> it).sum() / GB;
  }

  private double storageDollars() {
    return storedGb() * prices.of(Price.STORAGE) + tableGb() * prices.of(Price.BACKUP);
  }

  private Section partitions() {
    var section =
        Section.of("partitions", "table or index", "GB", "by size", "by units at peak", "needed");
    var units = unitsADay();
    double byUnits =
        Math.ceil(
            in.peak()
                / DAY
                * Math.max(units.write() / PARTITION_WRITES, units.read() / PARTITION_READS));
    bytesByIndex()
        .forEach(
            (name, bytes) -> {
              double bySize = Math.ceil(bytes / PARTITION_BYTES);
              section.row(
                  name.isEmpty() ? "table" : name,
                  bytes / GB,
                  bySize,
                  name.isEmpty() ? byUnits : "",
                  Math.max(bySize, name.isEmpty() ? byUnits : 1));
            });
    return section.note(
        "A partition holds 10 GB and serves 1 000 write or 3 000 read units a second. The units of"
            + " the indexes are counted with the table. A stream has about one shard for each"
            + " partition of the table.");
  }

  private double shards() {
    var units = unitsADay();
    double byUnits =
        in.peak()
            / DAY
            * Math.max(units.write() / PARTITION_WRITES, units.read() / PARTITION_READS);
    return Math.max(1, Math.ceil(Math.max(byUnits, tableGb() * GB / PARTITION_BYTES)));
  }

  // Hot keys

  private Section hotKeys() {
    double followers = popularity.greatest();
    double pagesASecond = followers * in.daily() / in.accounts() * in.a().pages() / DAY * in.peak();
    double likesOfAView =
        in.a().pages() == 0 ? 0 : Math.min(1, in.a().likes() / (in.a().pages() * PAGE_POSTS));
    double likes = pagesASecond * likesOfAView;
    double follows =
        aDay(UserAction.FOLLOW) / DAY * in.peak() * followers / (in.accounts() * in.follows());
    double tags = aDay(UserAction.POST) * in.tags() / DAY * in.peak() / 10;
    boolean isPulled = followers >= in.threshold();
    double largest = Math.min(followers, in.threshold()) * in.active();
    return Section.of("hot keys at peak", "key", "units a second", "limit", "share")
        .row(
            hot(
                "reads of the most followed author's posts (one key of an index)",
                isPulled ? pagesASecond : 0,
                PARTITION_READS))
        .row(hot("likes of that author's new post (one key of an index)", likes, PARTITION_WRITES))
        .row(
            hot(
                "the same after a thousand likes (16 keys)",
                likes / LIKE_BUCKETS,
                PARTITION_WRITES))
        .row(hot("follows of that account (one key of an index)", follows, PARTITION_WRITES))
        .row(
            hot(
                "a tag that a tenth of all posts have (one key of an index)",
                tags,
                PARTITION_WRITES))
        .note(
            "The largest pushed post has %s readers and reaches the last one after %s s: %s keys take 500 entries a second each."
                .formatted(
                    Section.text(Math.rint(largest)),
                    Section.text(largestDeliverySeconds(in.threshold())),
                    Section.text(FEED_SHARDS)))
        .note(
            "Readers of a new post like it as often as any post on a page. A single key is never split for reads of its newest items.");
  }

  private static Object[] hot(String key, double rate, double limit) {
    return new Object[] {key, rate, limit, "%.0f %%".formatted(100 * rate / limit)};
  }

  /** Returns the seconds from a post to its last entry, for the largest pushed post. */
  private double largestDeliverySeconds(double threshold) {
    double largest = Math.min(popularity.greatest(), threshold) * in.active();
    return largest * 2 / (FEED_SHARDS * PARTITION_WRITES);
  }

  private boolean isQuick(double threshold) {
    return pulledAPage(threshold) <= QUERIES_AT_ONCE
        && largestDeliverySeconds(threshold) <= LATEST_SECONDS;
  }

  // Lanes

  /**
   * A lane at peak.
   *
   * @param records a second
   * @param invocations a second
   * @param seconds of an invocation
   * @param age of the records of a healthy lane, in seconds
   */
  private record AtPeak(double records, double invocations, double seconds, double age) {
    double concurrency() {
      return Math.ceil(invocations * seconds);
    }
  }

  private AtPeak lane(Lane lane, double factor) {
    double records = 0;
    for (var action : times.entrySet()) {
      var effects = action.getKey().effects();
      records += action.getValue() * (lane == Lane.COUNTS ? effects.counts() : effects.effects());
    }
    if (lane == Lane.COUNTS) {
      records += aDay(UserAction.POST) * (in.tags() - 1);
    } else {
      records += chunksADay();
    }
    double aSecond = records / DAY * factor;
    double window = LaneMapping.of(lane).batchingWindow().toMillis() / 1e3;
    if (lane == Lane.COUNTS) {
      double invocations = Math.min(aSecond, shards() / window);
      double items = invocations == 0 ? 0 : aSecond / invocations;
      double seconds = 2 * CALL_SECONDS * Math.max(1, Math.ceil(items / ITEMS_AT_ONCE));
      return new AtPeak(aSecond, invocations, seconds, POLL_SECONDS + window + seconds);
    }
    double entries = entriesADay() / DAY * factor;
    double invocations = Math.min(aSecond, shards() / POLL_SECONDS * 10);
    double work =
        aSecond * CALLS_OF_AN_EFFECT * CALL_SECONDS + entries / ENTRIES_OF_A_CALL * CALL_SECONDS;
    double seconds = invocations == 0 ? 0 : work / invocations;
    return new AtPeak(
        aSecond,
        invocations,
        seconds,
        POLL_SECONDS + seconds + largestDeliverySeconds(in.threshold()));
  }

  private Section lanes() {
    var section =
        Section.of(
            "lanes at peak",
            "lane",
            "records/s",
            "invocations/s",
            "seconds each",
            "concurrency",
            "shards",
            "iterator age (s)",
            "dollars a month");
    for (var lane : Lane.values()) {
      var peak = lane(lane, in.peak());
      section.row(
          lane.alias(),
          peak.records(),
          peak.invocations(),
          peak.seconds(),
          peak.concurrency(),
          shards(),
          peak.age(),
          dollars(lane));
    }
    return section.note(
        "Assumed: 4 ms a call, 2 calls a counted item, 16 items at once; 4 calls an effect, 25 entries"
            + " a call; a shard is polled every 250 ms. The age is that of the last entry of the"
            + " largest pushed post, or of a count.");
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

  private double functionDollars() {
    double sum = 0;
    for (var lane : Lane.values()) {
      sum += dollars(lane);
    }
    return sum;
  }

  // Quotas

  private Section quotas() {
    var units = unitsADay();
    double reads = units.read() / DAY * in.peak();
    double writes = units.write() / DAY * in.peak();
    var counts = lane(Lane.COUNTS, in.peak());
    var effects = lane(Lane.EFFECTS, in.peak());
    return Section.of("quotas", "quota", "default", "needed at peak", "raise")
        .row(quota("read units a second of a table", TABLE_UNITS, reads))
        .row(quota("write units a second of a table", TABLE_UNITS, writes))
        .row(quota("maximum read units of the stage prod", STAGE_UNITS, reads))
        .row(quota("maximum write units of the stage prod", STAGE_UNITS, writes))
        .row(
            quota(
                "concurrent invocations of the account",
                CONCURRENCY,
                counts.concurrency() + effects.concurrency()))
        .row(
            quota(
                "reserved concurrency of the counts lane in prod",
                STAGE_COUNTS,
                counts.concurrency()))
        .row(quota("API tasks of the stage prod", STAGE_TASKS, servers()))
        .row(
            quota(
                "read units a second of the sweep for erasures in prod, to scan in five days",
                STAGE_SWEEP,
                tableGb() * GB / READ_BYTES / (SWEEP_DAYS * DAY)));
  }

  private static Object[] quota(String name, double standard, double needed) {
    return new Object[] {name, standard, Math.ceil(needed), needed > standard ? "yes" : "no"};
  }

  // The celebrity threshold

  /** Returns the dollars a month that depend on the threshold. */
  private double dollarsOf(double threshold) {
    double posts = aDay(UserAction.POST);
    var behind = behindAPost(threshold);
    double dollars = prices.units(posts * behind.read(), posts * behind.write());
    for (var line : pulls(threshold)) {
      dollars += prices.units(line.reads(), line.writes());
    }
    double entries =
        posts * in.active() * pushedFollowers(threshold) * days(FeedEntry.KEPT.toDays());
    double gb = entries * stored.of(RowKind.FEED_ENTRY).all() / GB;
    return dollars * MONTH_DAYS + gb * prices.of(Price.STORAGE);
  }

  private Section threshold() {
    var section =
        Section.of(
            "celebrity threshold",
            "threshold",
            "celebrities",
            "pulled authors a page",
            "last reader after (s)",
            "dollars a month",
            "");
    var curve = new TreeMap<Double, Double>();
    thresholds().forEach(threshold -> curve.put(threshold, dollarsOf(threshold)));
    double cheapest = cheapest(curve).orElseThrow();
    var quick = new TreeMap<>(curve);
    quick.keySet().removeIf(threshold -> !isQuick(threshold));
    curve.forEach(
        (threshold, dollars) ->
            section.row(
                threshold,
                Math.rint(celebrities(threshold)),
                pulledAPage(threshold),
                largestDeliverySeconds(threshold),
                dollars,
                bar(dollars / curve.getOrDefault(cheapest, dollars))
                    + (threshold == in.threshold() ? " planned" : "")
                    + (threshold == cheapest ? " cheapest" : "")));
    return section
        .note(
            "Dollars for posts behind the stream, their entries for 90 days, pulled authors on pages,"
                + " and the registry on all servers. A bar begins at nine tenths of the least and ends"
                + " at twice the least. Each celebrity crosses the threshold once in 100 days.")
        .note(
            cheapest(quick)
                .map(
                    threshold ->
                        "Cheapest with at most 16 pulled authors on a page (one round of queries) and"
                            + " the last reader served within ten minutes: "
                            + Section.text(threshold)
                            + ".")
                .orElse(
                    "No threshold has at most 16 pulled authors on a page (one round of queries) and"
                        + " serves the last reader within ten minutes."));
  }

  /** Returns the threshold with the least dollars. */
  private static Optional<Double> cheapest(Map<Double, Double> curve) {
    return curve.entrySet().stream().min(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
  }

  /**
   * Returns a bar.
   *
   * @param ratio dollars divided by the least
   */
  private static String bar(double ratio) {
    double share = Math.min(1, (ratio - LEAST) / (2 - LEAST));
    return "#".repeat((int) Math.max(1, Math.round(BAR * share)));
  }

  private List<Double> thresholds() {
    var all = new ArrayList<Double>();
    for (double power = 1e3; power <= 1e8; power *= 10) {
      for (double step : new double[] {1, 2, 5}) {
        all.add(power * step);
      }
    }
    all.add((double) in.threshold());
    return all.stream()
        .distinct()
        .sorted()
        .filter(
            threshold -> threshold <= 2.5 * popularity.greatest() || threshold == in.threshold())
        .toList();
  }

  // Other designs

  /** Units of AWS's schema and of two tables of edges, counted from their published keys. */
  private Section others() {
    double page = 0.5 + (PAGE_POSTS + PAGE_AUTHORS) / 2;
    double followers = popularity.mean();
    var section =
        Section.of(
            "the same load on other designs",
            "action",
            "here, reads",
            "writes",
            "AWS's schema, reads",
            "writes",
            "two tables, reads",
            "writes");
    double[] sums = new double[6];
    compared(section, sums, UserAction.POST, behindAPost(in.threshold()), 0, 1 + followers, null);
    compared(section, sums, UserAction.LIKE, UserAction.LIKE.behind(), 0, 2, null);
    compared(
        section,
        sums,
        UserAction.FOLLOW,
        UserAction.FOLLOW.behind(),
        0,
        2,
        new ConsumedUnits(0, 5));
    compared(
        section,
        sums,
        UserAction.UNFOLLOW,
        UserAction.UNFOLLOW.behind(),
        0,
        2,
        new ConsumedUnits(0, 5));
    compared(
        section,
        sums,
        UserAction.PAGE,
        CostFormulas.pulledAuthors(pulledAPage(in.threshold())),
        page,
        0,
        null);
    compared(
        section,
        sums,
        UserAction.LIST,
        ConsumedUnits.NONE,
        0.5 + PAGE_POSTS / 2,
        0,
        new ConsumedUnits(0.5, 0));
    compared(section, sums, UserAction.VIEW_PROFILE, ConsumedUnits.NONE, 1, 0, null);
    compared(section, sums, UserAction.VIEW_POST, ConsumedUnits.NONE, 1, 0, null);
    return section
        .row(
            "dollars a month of these",
            prices.units(sums[0], 0) * MONTH_DAYS,
            prices.units(0, sums[1]) * MONTH_DAYS,
            prices.units(sums[2], 0) * MONTH_DAYS,
            prices.units(0, sums[3]) * MONTH_DAYS,
            prices.units(sums[4], 0) * MONTH_DAYS,
            prices.units(0, sums[5]) * MONTH_DAYS)
        .note(
            "AWS's schema delivers a post to every follower, absent ones too, for one unit each. Its"
                + " counts change when a request is repeated, a follow is not atomic (4 units if it"
                + " were), and it has no notifications, backfill, removal after an unfollow, blocks,"
                + " visibility, tags or rankings. Its page has no “liked by me”.")
        .note(
            "The two tables hold edges only: no posts, feeds, likes, counts or caps. An atomic follow"
                + " costs 5 (3 if one of the tables may miss it). A list shows the name as it was at"
                + " the follow.");
  }

  private void compared(
      Section section,
      double[] sums,
      UserAction action,
      ConsumedUnits behind,
      double read,
      double write,
      @Nullable ConsumedUnits twoTables) {
    double aDay =
        aDay(action) + (action == UserAction.PAGE ? aDay(UserAction.PAGE_AFTER_FOLLOW) : 0);
    if (aDay == 0) {
      return;
    }
    var here = action.request().plus(behind);
    section.row(
        name(action),
        here.read(),
        here.write(),
        read,
        write,
        twoTables == null ? "-" : twoTables.read(),
        twoTables == null ? "-" : twoTables.write());
    double[] each = {
      here.read(),
      here.write(),
      read,
      write,
      twoTables == null ? 0 : twoTables.read(),
      twoTables == null ? 0 : twoTables.write()
    };
    for (int i = 0; i < each.length; i++) {
      sums[i] += each[i] * aDay;
    }
  }
}
