package social.feed.ctl.plan;

import static social.feed.ctl.plan.PlannedLoad.DAY;
import static social.feed.ctl.plan.PlannedLoad.GB;
import static social.feed.ctl.plan.PlannedLoad.MONTH_DAYS;
import static social.feed.ctl.plan.PlannedLoad.PARTITION_BYTES;
import static social.feed.ctl.plan.PlannedLoad.PARTITION_READS;
import static social.feed.ctl.plan.PlannedLoad.PARTITION_WRITES;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import social.feed.ctl.plan.Prices.Price;
import social.feed.table.cost.UserAction;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;
import social.feed.table.row.RowKind;
import social.feed.verify.VerificationCost;

/** The rows that pile up, their bytes, and the partitions that hold them. */
final class PlannedStorage {
  private static final double UNREAD_KEPT_DAYS = 90;
  private static final double READ_BYTES = 4_096;

  private final PlannedLoad load;
  private final Prices prices;
  private final StoredRows stored;

  PlannedStorage(PlannedLoad load, Prices prices) {
    this.load = load;
    this.prices = prices;
    this.stored = new StoredRows(load.in().idLength());
  }

  private Map<RowKind, Double> rows() {
    double kept = load.in().months() * MONTH_DAYS;
    double posts = load.aDay(UserAction.POST);
    var rows = new LinkedHashMap<RowKind, Double>();
    rows.put(RowKind.FOLLOW, load.in().accounts() * load.in().follows());
    rows.put(RowKind.FEED_ENTRY, entries(load.in().threshold()));
    rows.put(RowKind.LIKE, load.aDay(UserAction.LIKE) * kept);
    rows.put(RowKind.NOTIFICATION, load.notificationsADay() * days(UNREAD_KEPT_DAYS));
    rows.put(RowKind.COMMENT, load.aDay(UserAction.COMMENT) * kept);
    rows.put(RowKind.POST, posts * kept);
    rows.put(RowKind.POST_TAG, posts * load.in().tags() * kept);
    rows.put(RowKind.USER, (double) load.in().accounts());
    rows.put(RowKind.HANDLE_CLAIM, (double) load.in().accounts());
    rows.put(RowKind.FOLLOW_QUOTA, (double) load.in().accounts());
    rows.put(RowKind.ACTIVITY, (double) load.in().users());
    rows.put(RowKind.INBOX, (double) load.in().users());
    rows.put(
        RowKind.TOP_AUTHOR,
        load.in().months()
            * Math.min(load.in().accounts(), load.aDay(UserAction.FOLLOW) * MONTH_DAYS));
    rows.put(RowKind.EFFECT_MARK, posts * days(Retention.PROCESSED_EVENTS.toDays()));
    rows.put(RowKind.FAN_OUT_PLAN, posts * days(Retention.FAN_OUT_PLANS.toDays()));
    rows.put(RowKind.FAN_OUT_CHUNK, load.chunksADay() * days(Retention.FAN_OUT_PLANS.toDays()));
    rows.put(RowKind.IDEMPOTENCY_RECORD, posts * days(1));
    rows.put(RowKind.PULLED_AUTHOR, load.celebrities(load.in().threshold()));
    return rows;
  }

  /** Returns the entries that are stored if posts are pulled from a threshold of followers on. */
  private double entries(double threshold) {
    return load.entriesADay(threshold) * entryDays();
  }

  private double entryDays() {
    return days(FeedEntry.KEPT.toDays() + 1);
  }

  /** Returns the dollars of a month for storage and backup of the entries at a threshold. */
  double dollarsOfEntries(double threshold) {
    double gb = entries(threshold) / GB;
    var size = stored.of(RowKind.FEED_ENTRY);
    return dollars(gb * size.all(), gb * size.table());
  }

  /** Returns the read units of reading each entry of the table once, at a threshold. */
  double walkedUnitsOfEntries(double threshold) {
    return walkedUnits(RowKind.FEED_ENTRY, entries(threshold));
  }

  private double walkedUnits(RowKind kind, double count) {
    return count * stored.of(kind).tableRead() / READ_BYTES;
  }

  /** Rows of a kind that expires never pile up for longer than the platform is old. */
  private double days(double lifetime) {
    return Math.min(lifetime, load.in().months() * MONTH_DAYS);
  }

  Section byKind() {
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
                .formatted(Section.text(load.in().months())));
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

  double tableGb() {
    return bytesByIndex().getOrDefault("", 0.0) / GB;
  }

  /** Returns the size of table and indexes. */
  double storedGb() {
    return bytesByIndex().values().stream().mapToDouble(it -> it).sum() / GB;
  }

  /** Returns the read units of reading each item of the table once, strongly consistent. */
  double walkedUnits() {
    double units = 0;
    for (var kind : rows().entrySet()) {
      units += walkedUnits(kind.getKey(), kind.getValue());
    }
    return units;
  }

  /** Returns the read units of {@code ./feed verify}. */
  double verifiedUnits() {
    double units = 0;
    for (var kind : rows().entrySet()) {
      var size = stored.of(kind.getKey());
      units +=
          VerificationCost.of(kind.getKey())
              .units(kind.getValue(), partitions(kind.getKey()), size.tableRead(), size::indexRead);
    }
    return units;
  }

  /** Returns the partitions of the rows of a kind that share reads of a verification. */
  private double partitions(RowKind kind) {
    return switch (kind) {
      case FOLLOW -> load.in().accounts();
      case FEED_ENTRY ->
          load.aDay(UserAction.POST)
              * entryDays()
              * Math.min(
                  Post.FEED_SHARDS,
                  1 + load.in().active() * load.pushedFollowers(load.in().threshold()));
      default -> 0;
    };
  }

  double dollars() {
    return dollars(storedGb(), tableGb());
  }

  /** Returns the dollars for gigabytes of table and indexes, of which some are in the table. */
  private double dollars(double all, double table) {
    return all * prices.of(Price.STORAGE) + table * prices.of(Price.BACKUP);
  }

  Section partitions() {
    var section =
        Section.of("partitions", "table or index", "GB", "by size", "by units at peak", "needed");
    var units = load.unitsADay();
    double byUnits =
        Math.ceil(
            load.in().peak()
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
        "A partition holds 10 GB and serves 1 000 write or 3 000 read units a second. The declared"
            + " costs have one sum for the table and its indexes, so the units of the indexes are"
            + " counted with the table. A stream has about one shard for each partition of the"
            + " table.");
  }

  /** Returns the shards of the stream: about one for each partition of the table. */
  double shards() {
    var units = load.unitsADay();
    double byUnits =
        load.in().peak()
            / DAY
            * Math.max(units.write() / PARTITION_WRITES, units.read() / PARTITION_READS);
    return Math.max(1, Math.ceil(Math.max(byUnits, tableGb() * GB / PARTITION_BYTES)));
  }
}
