package social.feed.ctl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.ctl.graph.EdgeFile;
import social.feed.ctl.graph.ImportProgress;
import social.feed.ctl.load.Action;
import social.feed.ctl.load.ApiCalls;
import social.feed.ctl.load.LoadRun;
import social.feed.ctl.load.Mix;
import social.feed.ctl.load.SocialGraph;
import social.feed.engine.EngineClients;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.table.cost.CostFormulas;
import social.feed.table.cost.UserAction;
import social.feed.table.graph.FollowWriter;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Follow;
import social.feed.table.row.Notification;
import social.feed.testkit.LongRunning;
import social.feed.testkit.cost.Bill;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * What {@code ./feed load} sends costs what {@code ./feed plan} says for the same actions: the
 * requests and all their effects, in units as AWS bills them. Each account follows nine others, so
 * that a page has ten authors, and has twenty posts, as the plan assumes. Actions whose cost
 * depends on a size that the plan fixes are not sent for the exact comparison: notifications and
 * marking them as read, unfollows. With all actions of the default mix, the plan is an upper bound.
 *
 * <p>The plan assumes that the records of an action are alone in their batches, and a slow machine
 * makes larger batches. So a request is sent when the one before it has all its effects, and the
 * time that this takes changes no figure.
 */
@LongRunning
class ITPlanOfLoad {
  private static final int ACCOUNTS = 16;
  private static final int FOLLOWED = 9;
  private static final int POSTS = 20;

  /** Requests that are due before a machine can have sent them, so none waits for its time. */
  private static final double PER_SECOND = 100;

  private static final Duration LENGTH = Duration.ofMillis(2_500);

  /** The least requests that say something; a slow machine leaves the others unsent. */
  private static final long ENOUGH = 60;

  private static final double TOLERANCE = 5;

  /**
   * The least part of the plan that the default mix costs: other pages, notifications and unfollows
   * of this small graph are shorter than the plan's.
   */
  private static final double LEAST = 0.95;

  /** What the default mix has and the plan has not; its requests cost what the answers say. */
  private static final Set<Action> UNPLANNED =
      EnumSet.of(
          Action.COMMENTS,
          Action.TIMELINE,
          Action.TAG,
          Action.TRENDS,
          Action.AUTHORS,
          Action.UNLIKE);

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final ImportProgress SILENT =
      (_, _) ->
          new ImportProgress.Step() {
            @Override
            public void advance(long done) {}

            @Override
            public void close() {}
          };

  /** Each account does the same, and reads each post as often as others. */
  private static final Map<String, String> MIX =
      Map.ofEntries(
          Map.entry("account-skew", "0"),
          Map.entry("post-skew", "0"),
          Map.entry("actions", "4"),
          Map.entry("older", "0"),
          Map.entry("read", "20"),
          Map.entry("comments", "0"),
          Map.entry("profile", "15"),
          Map.entry("timeline", "0"),
          Map.entry("followers", "6"),
          Map.entry("notifications", "0"),
          Map.entry("read-all", "0"),
          Map.entry("tag", "0"),
          Map.entry("trends", "0"),
          Map.entry("authors", "0"),
          Map.entry("like", "25"),
          Map.entry("unlike", "0"),
          Map.entry("comment", "12"),
          Map.entry("follow", "4"),
          Map.entry("unfollow", "0"),
          Map.entry("write", "16"));

  /**
   * A finished load.
   *
   * @param marked the notifications that it marked as read
   * @param measured the units of all requests and effects, as AWS bills them
   */
  private record Sent(LoadRun.Results results, long marked, ConsumedUnits measured) {
    ConsumedUnits planned() {
      return ITPlanOfLoad.planned(results).plus(readAll(results, marked)).plus(ofProbe(results));
    }
  }

  private SocialGraph graph;
  private LocalPlatform platform;
  private DynamoDbClient reader;
  private OneAtATime front;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    graph = SocialGraph.read(new EdgeFile(ring(folder)));
    platform = LocalPlatform.start(PlatformSettings.inMemory());
    reader =
        EngineClients.local(DynamoDbClient.builder(), platform.dynamodb())
            .httpClientBuilder(Apache5HttpClient.builder())
            .build();
    front = OneAtATime.start(platform, PATIENCE);
    try (var api = new ApiCalls(platform.api(), Map.of());
        var load = load(Mix.standard(), 0)) {
      register(api, graph);
      haveFollowedForLong(new Table(reader, PlatformSettings.TABLE, Retry.standard()), graph);
      load.create(SILENT);
      countNotifications(api, graph);
    }
    platform.drain(PATIENCE);
  }

  @AfterEach
  void stop() {
    front.close();
    reader.close();
    platform.close();
  }

  /** The second load finds the platform as the first one has left it. */
  @Test
  void load_costsWhatThePlanSays_andTheDefaultMixAtMostThat() throws Exception {
    var properties = new Properties();
    properties.putAll(MIX);
    var chosen = send(Mix.of(properties), 1);
    var standard = send(Mix.standard(), 2);

    var planned = chosen.planned();
    System.out.printf("planned %s, measured %s%n", planned, chosen.measured());
    assertThat(chosen.measured().write()).isCloseTo(planned.write(), withinPercentage(TOLERANCE));
    assertThat(chosen.measured().read()).isCloseTo(planned.read(), withinPercentage(TOLERANCE));

    var most = standard.planned().plus(unplanned(standard.results()));
    System.out.printf("default mix: planned %s, measured %s%n", most, standard.measured());
    assertThat(standard.measured().write()).isBetween(LEAST * most.write(), most.write());
    assertThat(standard.measured().read()).isBetween(LEAST * most.read(), most.read());
  }

  /**
   * @param seed each has accounts of its own that measure the lag
   */
  private LoadRun load(Mix mix, long seed) {
    return new LoadRun(
        List.of(front.url()),
        Map.of(),
        graph,
        mix,
        new LoadRun.Settings(PER_SECOND, LENGTH, 1, POSTS, seed),
        List.of("probe-author-" + seed, "probe-reader-" + seed));
  }

  private Sent send(Mix mix, long seed) throws Exception {
    try (var load = load(mix, seed)) {
      load.prepare(SILENT);
      platform.drain(PATIENCE);
      front.awaitEffects();
      long before = markedNotifications();
      try (var bill = Bill.open(reader, PlatformSettings.TABLE)) {
        var results = load.run(_ -> {});
        platform.drain(PATIENCE);
        var measured = ITPlan.bought(bill.takeCalls());

        assertThat(results.load().codes().keySet()).isSubsetOf("200", "201", "204");
        assertThat(results.load().scheduled() - results.load().unsent())
            .isGreaterThanOrEqualTo(ENOUGH);
        return new Sent(results, markedNotifications() - before, measured);
      }
    }
  }

  private long markedNotifications() {
    return reader.scanPaginator(scan -> scan.tableName(PlatformSettings.TABLE)).items().stream()
        .map(RowCodec::decode)
        .filter(row -> row instanceof Notification notification && notification.read())
        .count();
  }

  private static Path ring(Path folder) throws IOException {
    var lines =
        IntStream.range(0, ACCOUNTS)
            .boxed()
            .flatMap(
                n ->
                    IntStream.rangeClosed(1, FOLLOWED)
                        .mapToObj(m -> "r%d r%d".formatted(n, (n + m) % ACCOUNTS)));
    return Files.write(folder.resolve("ring.txt"), (Iterable<String>) lines::iterator);
  }

  private static void register(ApiCalls api, SocialGraph graph) throws Exception {
    for (int i = 0; i < graph.size(); i++) {
      api.signIn(graph.id(i));
      var handle = "{\"handle\":\"load_%1$s\",\"display_name\":\"Load\"}".formatted(graph.id(i));
      assertThat(api.send(graph.id(i), "POST", "/v1/users", handle).code()).isEqualTo("201");
    }
  }

  /** A delivery to an account that has followed for less than a month writes more. */
  private static void haveFollowedForLong(Table table, SocialGraph graph) {
    var yesterday = Timestamps.now(Clock.systemUTC()).minus(Duration.ofDays(1));
    var longAgo = yesterday.minus(Duration.ofDays(39));
    for (int i = 0; i < graph.size(); i++) {
      var follower = graph.id(i);
      new FollowWriter(table, FOLLOWED)
          .adopt(
              IntStream.of(graph.following(i))
                  .mapToObj(followee -> Follow.of(follower, graph.id(followee), longAgo))
                  .toList());
      table.putAll(List.of(FeedActivity.at(follower, yesterday)));
    }
  }

  /** The first count of an account creates its row. */
  private static void countNotifications(ApiCalls api, SocialGraph graph) throws Exception {
    for (int i = 0; i < graph.size(); i++) {
      var account = graph.id(i);
      assertThat(api.send(account, "GET", "/v1/notifications/unread-count").isOk()).isTrue();
    }
  }

  /**
   * The local platform reads the revision of the registry with each page. A follow or unfollow
   * reads each post of the last hour once more, and all posts here are of the last hour.
   */
  private static ConsumedUnits planned(LoadRun.Results results) {
    double pages = sent(results, Action.HOME) + sent(results, Action.OLDER);
    double changes = sent(results, Action.FOLLOW) + sent(results, Action.UNFOLLOW);
    var a =
        new PlanInputs.Daily(
            pages / ACCOUNTS,
            0,
            sent(results, Action.WRITE) / ACCOUNTS,
            sent(results, Action.LIKE) / ACCOUNTS,
            sent(results, Action.COMMENT) / ACCOUNTS,
            sent(results, Action.FOLLOW) / ACCOUNTS,
            sent(results, Action.UNFOLLOW) / ACCOUNTS,
            sent(results, Action.READ) / ACCOUNTS,
            sent(results, Action.PROFILE) / ACCOUNTS,
            sent(results, Action.FOLLOWERS) / ACCOUNTS,
            sent(results, Action.UNREAD) / ACCOUNTS,
            sent(results, Action.NOTIFICATIONS) / ACCOUNTS,
            0);
    var inputs =
        new PlanInputs(
            ACCOUNTS, ACCOUNTS, ACCOUNTS, FOLLOWED, 2.276, 1e-9, a, 1, 1, 100_000, 1, 3, 500);
    return new CapacityPlan(inputs, new Prices(Map.of()))
        .unitsOfActions()
        .plus(new ConsumedUnits(0.5 * pages + POSTS * changes, 0));
  }

  /** The plan marks all notifications of a day; here most accounts have not read theirs yet. */
  private static ConsumedUnits readAll(LoadRun.Results results, long marked) {
    long calls = (long) sent(results, Action.READ_ALL);
    if (calls == 0) {
      return ConsumedUnits.NONE;
    }
    var steps = CostFormulas.readAll(Math.toIntExact(marked));
    return Stream.generate(() -> UserAction.READ_ALL.request().plus(CostFormulas.readAll(0)))
        .limit(calls - 1)
        .reduce(UserAction.READ_ALL.request().plus(steps), ConsumedUnits::plus);
  }

  /** The effects of an unlike cost no more than those of a like. */
  private static ConsumedUnits unplanned(LoadRun.Results results) {
    var requests =
        results.units().entrySet().stream()
            .filter(units -> UNPLANNED.contains(units.getKey()))
            .map(Map.Entry::getValue)
            .reduce(ConsumedUnits.NONE, ConsumedUnits::plus);
    return Stream.generate(UserAction.LIKE::behind)
        .limit((long) sent(results, Action.UNLIKE))
        .reduce(requests, ConsumedUnits::plus);
  }

  private static double sent(LoadRun.Results results, Action action) {
    var group = results.load().groups().get(action.key());
    return group == null ? 0 : group.codes().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Two more accounts measure the lag: one posts for the other, which likes the post. */
  private static ConsumedUnits ofProbe(LoadRun.Results results) {
    var requests =
        results.probe().values().stream().reduce(ConsumedUnits.NONE, ConsumedUnits::plus);
    var effects =
        Stream.concat(
            Stream.generate(() -> CostFormulas.delivery(1)).limit(measured(results.effects())),
            Stream.generate(UserAction.LIKE::behind).limit(measured(results.counts())));
    return effects.reduce(requests, ConsumedUnits::plus);
  }

  private static long measured(LoadRun.Lag lag) {
    return lag.seen().getTotalCount() + lag.unseen();
  }
}
