package social.feed.ctl.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import social.feed.table.cost.CostFormulas;
import social.feed.table.cost.UserAction;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.row.Post;

/**
 * What users do in a day and what it costs in units, without dollars: the actions with the costs
 * that tests assert ({@link UserAction}, {@link CostFormulas}), and the reads for pulled authors.
 */
final class PlannedLoad {
  static final double DAY = 86_400;
  static final double MONTH_DAYS = 365.25 / 12;
  static final double GB = 1e9;

  /** A partition's limits (developer guide, "Burst and adaptive capacity"). */
  static final double PARTITION_BYTES = 10 * GB;

  static final double PARTITION_WRITES = 1_000;
  static final double PARTITION_READS = 3_000;

  /** {@code tasksMin} of the stage {@code prod} in {@code infra/cdk}. */
  private static final double LEAST_SERVERS = 3;

  /** Each celebrity crosses the threshold once in so many days. */
  private static final double DAYS_BETWEEN_FLIPS = 100;

  private static final double REGISTRY_SECONDS = 300;

  static final double PAGE_POSTS = 20;
  static final double PAGE_AUTHORS = 10;

  private final PlanInputs in;
  private final Popularity popularity;
  private final Map<UserAction, Double> times = new LinkedHashMap<>();

  /**
   * A line of the bill.
   *
   * @param aDay how often it happens
   * @param read read units of one
   * @param write write units of one
   */
  record Line(String name, double aDay, double read, double write) {
    double reads() {
      return aDay * read;
    }

    double writes() {
      return aDay * write;
    }
  }

  PlannedLoad(PlanInputs inputs) {
    this.in = inputs;
    this.popularity = inputs.popularity();
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

  PlanInputs in() {
    return in;
  }

  Popularity popularity() {
    return popularity;
  }

  /** Returns how often each action happens in a day. */
  Map<UserAction, Double> times() {
    return Collections.unmodifiableMap(times);
  }

  private void put(UserAction action, double aUserAndDay) {
    times.put(action, aUserAndDay * in.daily());
  }

  private double afterFollow() {
    return Math.min(in.a().pages(), in.a().follows() + in.a().unfollows());
  }

  double aDay(UserAction action) {
    return times.getOrDefault(action, 0.0);
  }

  /** Returns the cost of a post behind the stream, on average over the authors. */
  ConsumedUnits behindAPost(double threshold) {
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

  double pushedFollowers(double threshold) {
    return popularity.mean() - popularity.followsFrom(threshold);
  }

  /** Returns the entries that are written in a day, the authors' own ones among them. */
  double entriesADay(double threshold) {
    return aDay(UserAction.POST) * (1 + in.active() * pushedFollowers(threshold));
  }

  double chunksADay() {
    return aDay(UserAction.POST)
        * popularity.average(
            followers -> Math.ceil(followers / CostFormulas.CHUNK),
            CostFormulas.CHUNK,
            in.threshold());
  }

  double notificationsADay() {
    return aDay(UserAction.LIKE) + aDay(UserAction.COMMENT) + aDay(UserAction.FOLLOW);
  }

  double celebrities(double threshold) {
    return popularity.accountsFrom(threshold) * in.accounts();
  }

  List<Line> lines() {
    var lines = new ArrayList<>(linesOfActions());
    lines.addAll(pulls(in.threshold()));
    return lines;
  }

  private List<Line> linesOfActions() {
    var lines = new ArrayList<Line>();
    times.forEach(
        (action, aDay) -> {
          if (aDay > 0) {
            var units = request(action).plus(behind(action));
            lines.add(new Line(name(action), aDay, units.read(), units.write()));
          }
        });
    return lines;
  }

  /** Returns an action with the sizes of this plan. */
  String name(UserAction action) {
    return switch (action) {
      case POST ->
          "writes a post, delivered to %s followers on average"
              .formatted(Section.text(in.active() * pushedFollowers(in.threshold())));
      case READ_ALL -> "marks %d notifications as read".formatted(marked());
      case LIST -> "reads a page of %d followers or followed accounts".formatted(listed());
      default -> action.does();
    };
  }

  /** Returns the accounts on a page of a follow list: all where accounts follow few. */
  long listed() {
    return Math.min(CostFormulas.LISTED, Math.round(in.follows()));
  }

  /** Returns the cost of a request with the sizes of this plan. */
  ConsumedUnits request(UserAction action) {
    return action == UserAction.LIST
        ? CostFormulas.followList(Math.round(in.follows()))
        : action.request();
  }

  /** Returns the notifications that a call marks as read: all that came since the last call. */
  int marked() {
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
  List<Line> pulls(double threshold) {
    double celebrities = celebrities(threshold);
    double pages = in.a().pages() * in.daily();
    var lines = new ArrayList<Line>();
    lines.add(
        new Line(
            "pulls %s authors for a page".formatted(Section.text(pulledAPage(threshold))),
            pages,
            CostFormulas.pulledAuthors(pulledAPage(threshold)).read(),
            0));
    lines.add(
        new Line(
            "finds which pulled authors a reader follows",
            celebrities < 1 ? 0 : coldPagesADay(),
            CostFormulas.findPulledAuthors(celebrities, in.follows()),
            0));
    lines.add(
        new Line(
            "reads the registry of pulled authors, on %s servers"
                .formatted(Section.text(servers())),
            servers() * registryReadsOfAServer(threshold, 1),
            registryUnits(threshold),
            0));
    lines.add(
        new Line(
            "reads the revision of the registry",
            servers() * DAY,
            CostFormulas.REGISTRY_REVISION,
            0));
    return lines;
  }

  /** Returns the pages of a day before which a server looks up whom the reader follows. */
  private double coldPagesADay() {
    return aDay(UserAction.FIRST_PAGE_OF_A_DAY)
        + aDay(UserAction.FIRST_PAGE_OF_AN_HOUR)
        + aDay(UserAction.PAGE_AFTER_FOLLOW);
  }

  /** Returns the other pages of a day. Each looks for authors who were not pulled before. */
  double warmPagesADay() {
    return Math.max(0, in.a().pages() * in.daily() - coldPagesADay());
  }

  /**
   * Returns how often a server reads the whole registry in a day: after each flip, at most once a
   * second, and at least after some minutes.
   *
   * @param factor flips, divided by those of an average day
   */
  private double registryReadsOfAServer(double threshold, double factor) {
    double celebrities = celebrities(threshold);
    double flips = factor * celebrities / DAYS_BETWEEN_FLIPS;
    return Math.min(DAY, Math.max(flips, DAY / Math.max(REGISTRY_SECONDS, celebrities / 10)));
  }

  private double registryUnits(double threshold) {
    return CostFormulas.registry(celebrities(threshold));
  }

  /** Returns the read units that all servers together spend on the registry after a flip. */
  double registryUnitsOfAFlip() {
    return servers() * registryUnits(in.threshold());
  }

  /** Returns the read units a second of the key of the registry, when flips are most frequent. */
  double registryReadsAtPeak() {
    double rows =
        registryReadsOfAServer(in.threshold(), in.peak()) * registryUnits(in.threshold()) / DAY;
    return servers() * (rows + CostFormulas.REGISTRY_REVISION);
  }

  double pulledAPage(double threshold) {
    return popularity.followsFrom(threshold);
  }

  /** Returns the requests of a day. What a page costs more than another is no request. */
  double requestsADay() {
    return times.entrySet().stream()
        .filter(
            it ->
                it.getKey() != UserAction.FIRST_PAGE_OF_A_DAY
                    && it.getKey() != UserAction.FIRST_PAGE_OF_AN_HOUR)
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /** Returns the servers of the API at peak, never fewer than the stage {@code prod} has. */
  double servers() {
    return Math.max(
        LEAST_SERVERS, Math.ceil(requestsADay() / DAY * in.peak() / in.serverRequests()));
  }

  /** Returns the units of a day. */
  ConsumedUnits unitsADay() {
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

  /**
   * Returns the seconds from a post to its last entry, for the largest pushed post. An entry is one
   * unit at a key of its post. Its second unit is at the key of its reader, in an index.
   */
  double largestDeliverySeconds(double threshold) {
    double largest = Math.min(popularity.greatest(), threshold) * in.active();
    return largest / (Post.FEED_SHARDS * PARTITION_WRITES);
  }
}
