package social.feed.ctl.load;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.ctl.graph.EdgeFile;
import social.feed.table.cost.CostFormulas;
import social.feed.table.cost.UserAction;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.UnitPrices;

class WorkloadTest {
  private static final int POSTS = 2;

  @TempDir private Path folder = Path.of("");

  private Path graph(int accounts, long seed) {
    var file = folder.resolve("graph-" + accounts + "-" + seed + ".txt");
    var ids = IntStream.range(0, accounts).mapToObj(i -> "u" + i).toList();
    SocialGraph.generate(ids, 5, seed, file);
    return file;
  }

  private List<Workload.Step> steps(Mix mix, long seed, int count) {
    var graph = SocialGraph.read(new EdgeFile(graph(100, 1)));
    var steps = new Workload(graph, mix, POSTS, 50, seed);
    return Stream.generate(steps::next).limit(count).toList();
  }

  private static Mix mix(String... changes) {
    var properties = new Properties();
    Stream.of(changes).forEach(c -> properties.setProperty(c.split("=")[0], c.split("=")[1]));
    return Mix.of(properties);
  }

  @Test
  void graph_isThatOfItsSeed_andHasHubs() throws IOException {
    assertThat(graph(300, 7))
        .hasSameTextualContentAs(Files.copy(graph(300, 7), folder.resolve("copy")));
    assertThat(Files.readString(graph(300, 8))).isNotEqualTo(Files.readString(graph(300, 7)));

    var graph = SocialGraph.read(new EdgeFile(graph(300, 7)));

    assertThat(graph.size()).isEqualTo(300);
    assertThat(graph.edges()).isBetween(1_700, 2_300);
    var followers = new HashMap<Integer, Integer>();
    for (int i = 0; i < graph.size(); i++) {
      for (int followee : graph.following(i)) {
        assertThat(followee).isNotEqualTo(i);
        followers.merge(followee, 1, Integer::sum);
      }
    }
    int most = followers.values().stream().max(Comparator.naturalOrder()).orElseThrow();
    assertThat(most).as("the first accounts are hubs").isGreaterThan(6 * 6);
    assertThat(followers.get(graph.popular(0))).isEqualTo(most);
  }

  @Test
  void realGraph_isReadAsImportReadsIt() throws IOException {
    var file =
        Files.writeString(folder.resolve("g.txt"), "# comment\nann bob\nbob,ann\ncid\tann\n");

    var graph = SocialGraph.read(new EdgeFile(file));

    assertThat(graph.ids()).containsExactly("ann", "bob", "cid");
    assertThat(graph.following(2)).containsExactly(0);
    assertThat(graph.popular(0)).isZero();
    var bad = Files.writeString(folder.resolve("bad.txt"), "ann bob\nann ann\n");
    assertThatThrownBy(() -> SocialGraph.read(new EdgeFile(bad)))
        .hasMessageContaining("Line 2 of the graph is bad");
    var empty = Files.writeString(folder.resolve("empty.txt"), "# nothing\n");
    assertThatThrownBy(() -> SocialGraph.read(new EdgeFile(empty)))
        .hasMessageContaining("at least two accounts");
  }

  @Test
  void sameSeed_givesTheSameRequests() {
    assertThat(steps(Mix.standard(), 3, 5_000)).isEqualTo(steps(Mix.standard(), 3, 5_000));
    assertThat(steps(Mix.standard(), 3, 100)).isNotEqualTo(steps(Mix.standard(), 4, 100));
  }

  @Test
  void standardMix_isReadHeavy_andSkewed() {
    var steps = steps(Mix.standard(), 1, 20_000);

    var actions = steps.stream().collect(groupingBy(Workload.Step::action, counting()));
    assertThat(actions.keySet()).containsExactlyInAnyOrder(Action.values());
    long reads = steps.stream().filter(step -> step.action().method().equals("GET")).count();
    assertThat(reads).isBetween(16_000L, 18_000L);
    var byAccount = steps.stream().collect(groupingBy(Workload.Step::account, counting()));
    assertThat(byAccount.values().stream().max(Comparator.naturalOrder()).orElseThrow())
        .as("the most active of 100 accounts")
        .isGreaterThan(1_200);
  }

  @Test
  void steps_nameOnlyPostsThatAreWrittenBefore_andNeverTheAccountItself() {
    var written = new HashMap<Integer, Integer>();
    for (var step : steps(mix("write=20"), 1, 10_000)) {
      int posts = written.getOrDefault(step.account(), POSTS);
      if (step.action() == Action.WRITE) {
        assertThat(step.post()).isEqualTo(posts);
        written.put(step.account(), posts + 1);
      } else if (step.post() >= 0) {
        assertThat(step.post()).isLessThan(written.getOrDefault(step.target(), POSTS));
      }
      if (step.action().path().contains("{id}")) {
        assertThat(step.target()).isNotEqualTo(step.account());
      }
    }
  }

  /**
   * With three posts the weights are 1, 1/2 and 1/3 of 11/6. The counts are of one seed; a uniform
   * draw would have a third each, and one of a hundred ranks, folded to three, 43, 31 and 26 %.
   */
  @Test
  void newestPosts_areReadMostOften_asZipfSays() {
    var graph = SocialGraph.read(new EdgeFile(graph(100, 1)));
    var load = new Workload(graph, mix("write=0"), 3, 50, 1);

    var byPost =
        Stream.generate(load::next)
            .filter(step -> step.action() == Action.READ)
            .limit(20_000)
            .collect(groupingBy(Workload.Step::post, counting()));

    assertThat(byPost.keySet()).containsExactlyInAnyOrder(0, 1, 2);
    assertThat(byPost.get(2)).as("the newest").isBetween(10_600L, 11_200L);
    assertThat(byPost.get(1)).isBetween(5_150L, 5_750L);
    assertThat(byPost.get(0)).isBetween(3_350L, 3_950L);
  }

  @Test
  void sessions_beginWithUnreadNumberAndHomePage() {
    var steps = steps(mix("actions=0"), 1, 1_000);

    var actions = steps.stream().collect(groupingBy(Workload.Step::action, counting()));
    assertThat(actions.keySet()).containsExactlyInAnyOrder(Action.UNREAD, Action.HOME);
  }

  @Test
  void mix_changesWeights() {
    var changes =
        Stream.of(Action.values())
            .filter(action -> !action.opensASession())
            .map(action -> action.key() + "=" + (action == Action.LIKE ? "1" : "0"))
            .toArray(String[]::new);

    var actions = steps(mix(changes), 1, 1_000).stream().map(Workload.Step::action).distinct();

    assertThat(actions).containsExactlyInAnyOrder(Action.UNREAD, Action.HOME, Action.LIKE);
    var nothing = Stream.of(changes).map(c -> c.replace("=1", "=0")).toArray(String[]::new);
    assertThatThrownBy(() -> mix(nothing)).hasMessageContaining("must be more than 0");
  }

  @ParameterizedTest
  @CsvSource({
    "likes=1, The mix has no likes",
    "home=1, The mix has no home",
    "like=-1, 'like must be 0 to 1,000,000, not -1'",
    "like=many, 'like must be 0 to 1,000,000, not many'",
    "account-skew=4, 'account-skew must be 0 to 3, not 4'"
  })
  void mixWithAnError_isRejected(String change, String message) {
    assertThatThrownBy(() -> mix(change))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void failures_areOnTheSideOfTheServer() {
    var codes =
        Map.of(
            "200",
            1L,
            "404 not_found",
            2L,
            "503 overloaded",
            4L,
            "ConnectException",
            8L,
            OpenLoad.UNANSWERED,
            16L);

    assertThat(LoadReport.failures(codes)).isEqualTo(28);
    assertThat(LoadReport.errors(codes)).isEqualTo(30);
  }

  @Test
  void plannedEffects_haveTheSizesOfTheGraph() {
    var graph = SocialGraph.read(new EdgeFile(graph(100, 1)));

    var effects = PlannedEffects.in(graph, 3);

    assertThat(effects.followers()).isEqualTo(Math.round(graph.edges() / 100.0)).isBetween(5L, 9L);
    assertThat(effects.of(Action.READ)).isEqualTo(ConsumedUnits.NONE);
    assertThat(effects.of(Action.COMMENT)).isEqualTo(UserAction.COMMENT.behind());
    assertThat(effects.of(Action.FOLLOW)).isEqualTo(CostFormulas.follow(3));
    assertThat(new PlannedEffects(9, 50).of(Action.FOLLOW)).isEqualTo(UserAction.FOLLOW.behind());
    assertThat(new PlannedEffects(100, 3).of(Action.WRITE)).isEqualTo(UserAction.POST.behind());
    assertThat(new PlannedEffects(9, 20).of(Action.UNFOLLOW))
        .isEqualTo(UserAction.UNFOLLOW.behind());
  }

  @ParameterizedTest
  @CsvSource({
    "200, 0, 1, 1, 0, 0, 0, true",
    "404 not_found, 0, 1, 1, 0, 0, 0, true",
    "503 overloaded, 0, 1, 1, 0, 0, 0, false",
    "200, 1, 1, 1, 0, 0, 0, false",
    "200, 0, 0, 0, 0, 0, 0, false",
    "200, 0, 0, 1, 0, 0, 0, false",
    "200, 0, 1, 0, 0, 0, 0, false",
    "200, 0, 9, 9, 1, 0, 0, false",
    "200, 0, 9, 9, 0, 1, 0, false",
    "200, 0, 1, 1, 0, 0, 1, false",
    "200, 0, 1, 1, 0, 0, 10, false"
  })
  void report_isCleanWithAllEffectsAndWithoutFailuresAndDrift(
      String code,
      long drift,
      int effects,
      int counts,
      int lostEffects,
      int lostCounts,
      int failed,
      boolean isClean) {
    var report =
        report(
            List.of(new OpenLoad.Request("like", _ -> code)),
            drift,
            lag(effects, lostEffects),
            lag(counts, lostCounts),
            failed);

    assertThat(report.isClean()).isEqualTo(isClean);
    assertThat(List.of(report.summary(), report.html()))
        .allMatch(text -> text.contains("gave up after ten failures") == (failed == 10))
        .allMatch(text -> text.contains("lag that ended with an error: 1.") == (failed == 1));
    assertThat(report.json()).contains("\"dollars\" : 10.0");
    assertThat(report.html())
        .contains("&lt;here&gt;")
        .contains("<tr><td>like</td><td>%s</td><td>1</td></tr>".formatted(code))
        .contains("<tr><td>all</td><td>%s</td><td>1</td></tr>".formatted(code))
        .contains(
            code.equals("200")
                ? "<td>10.0</td><td>5.0</td><td>4.0</td><td>14.0</td></tr>"
                : "<td>10.0</td><td>0.0</td><td>0.0</td><td>0.0</td></tr>")
        .doesNotContain("<here>");
  }

  /** The likes are refused, the reads are not. */
  @ParameterizedTest
  @CsvSource({
    "429 rate_limited, 5, 95, ''",
    "429 rate_limited, 6, 94, '6 of 100 requests had no success, which is more than 5 %'",
    "404 not_found, 6, 94, '6 of 100 requests had no success, which is more than 5 %'",
    "409 conflict, 9, 0, ''",
    "429 rate_limited, 10, 990, '10 of 10 requests of the action like had no success'"
  })
  void report_isCleanOnlyIfFewRequestsWereRefused(
      String code, int likes, int reads, String reason) {
    var requests =
        Stream.concat(
                Collections.nCopies(likes, new OpenLoad.Request("like", _ -> code)).stream(),
                Collections.nCopies(reads, new OpenLoad.Request("read", _ -> "200")).stream())
            .toList();

    var report = report(requests, 0, lag(1, 0), lag(1, 0), 0);

    assertThat(report.isClean()).isEqualTo(reason.isEmpty());
    assertThat(List.of(report.summary(), report.html()))
        .allMatch(
            text -> reason.isEmpty() ? !text.contains("had no success") : text.contains(reason));
  }

  /** One answer is awaited for long after the last request was sent. */
  @Test
  void report_hasTheRateUntilTheLastRequestWasSent_andCountsAnswersWithAStatus() {
    var times = new Histogram(3);
    var codes =
        Map.of("200", 2_997L, "503 busy", 1L, "ConnectException", 1L, OpenLoad.UNANSWERED, 1L);
    var load =
        new OpenLoad.Result(
            Duration.ofSeconds(90),
            Duration.ofSeconds(60),
            3_000,
            0,
            times,
            Map.of("like", new OpenLoad.Group(times, times, codes)),
            List.of());

    var report = report(load, 0, lag(1, 0), lag(1, 0), 0);

    assertThat(report.json())
        .contains("\"sent\" : 3000", "\"sent_per_second\" : 50.0", "\"answered\" : 2998");
  }

  private LoadReport report(
      List<OpenLoad.Request> requests,
      long drift,
      LoadRun.Lag effects,
      LoadRun.Lag counts,
      int failed) {
    var load =
        new OpenLoad(
            new OpenLoad.Settings(
                10_000,
                OpenLoad.Arrivals.EVEN,
                1,
                Duration.ofSeconds(1),
                requests.size(),
                16,
                Duration.ofSeconds(9)),
            requests.iterator());
    return report(load.run(), drift, effects, counts, failed);
  }

  private LoadReport report(
      OpenLoad.Result load, long drift, LoadRun.Lag effects, LoadRun.Lag counts, int failed) {
    var results =
        new LoadRun.Results(
            load,
            Map.of(Action.LIKE, new ConsumedUnits(3.5, 3)),
            Map.of(),
            effects,
            counts,
            failed,
            false);
    var run =
        new LoadReport.Run(
            "<here>",
            "generated",
            SocialGraph.read(new EdgeFile(graph(10, 1))),
            new LoadRun.Settings(1, Duration.ofSeconds(1), 1, 1, 1),
            new UnitPrices(2_000_000, 1_000_000));

    return LoadReport.of(
        run,
        results,
        new LoadReport.After(
            Optional.empty(), Optional.empty(), Optional.of(new LoadReport.Verified(9, drift))));
  }

  private static LoadRun.Lag lag(int measured, int unseen) {
    var lag = new LoadRun.Lag(new Histogram(3), unseen);
    lag.seen().recordValueWithCount(40, measured);
    return lag;
  }
}
