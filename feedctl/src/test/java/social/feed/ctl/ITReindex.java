package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.ctl.search.IndexComparison;
import social.feed.ctl.search.IndexRebuild;
import social.feed.ctl.search.IndexRebuild.Progress;
import social.feed.ctl.search.WalkPosition;
import social.feed.local.index.RemoteIndex;
import social.feed.search.EntryKind;
import social.feed.search.IndexState;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;
import social.feed.search.PostHit;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;
import social.feed.streams.index.IndexUpkeep;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.cost.UnitRateLimiter;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.post.Posts;
import social.feed.table.row.Visibility;
import social.feed.table.user.Users;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;
import social.feed.verify.Report;

/** Plants each difference between the search index of a platform and its table. */
@LongRunning
class ITReindex {
  private static final Duration SETTLING = Duration.ofMillis(300);

  /** The table has several times as many items. */
  private static final int PART = 10;

  /** For runs that find a difference, which no event corrects. */
  private static final String AT_ONCE = "--index-settle-seconds=0";

  private static final String LATER = "9999999999";
  private static final Instant THEN = Instant.parse("2026-03-01T12:00:00Z");

  private final VerifyWorld world = new VerifyWorld();
  private SearchIndex index;
  private RemoteIndex upkeep;
  private int planted;

  @BeforeEach
  void load(@TempDir Path folder) {
    world.load(folder, "1 2\n2 1\n3 1\n", 2, 100);
    index = world.platform().search().orElseThrow();
    upkeep = RemoteIndex.of(world.platform().api()).orElseThrow();
    assertThat(comparison(IndexComparison.SETTLING).compare(world::drain, false).isClean())
        .isTrue();
  }

  @AfterEach
  void stop() {
    upkeep.close();
    world.close();
  }

  private IndexComparison comparison(Duration settling) {
    return new IndexComparison(world.table(), upkeep, settling);
  }

  private Report compare(boolean isRepaired) {
    return comparison(SETTLING).compare(world::drain, isRepaired);
  }

  private Progress rebuild(IndexUpkeep over) {
    return rebuild(over, Optional.empty(), _ -> {});
  }

  private Progress rebuild(
      IndexUpkeep over, Optional<WalkPosition> from, Consumer<Progress> progress) {
    return new IndexRebuild(world.table(), over, new UnitRateLimiter(1e9), PART)
        .run(from, progress);
  }

  private static String id(String name) {
    return TimeOrderedId.named(THEN, name);
  }

  private static IndexedPost post(String id, String author, String text) {
    return new IndexedPost(id, author, text, Set.of(), THEN);
  }

  /** One missing, one of other content, one that does not belong, for posts and for accounts. */
  private void plant() throws IOException {
    var version = LATER + "%03d".formatted(++planted);
    index.deletePost(world.postOf("1").postId(), version);
    index.putPost(post(world.postOf("2").postId(), "2", "planted"), version);
    index.putPost(post(id("gone"), "1", "surplus"), version);
    index.deleteAccount("1", version);
    index.putAccount(new IndexedAccount("2", "planted", "Planted"), version);
    index.putAccount(new IndexedAccount(id("unknown"), "surplus", "Surplus"), version);
    index.refresh();
  }

  private List<String> found(String words) throws IOException {
    return index.findPosts(PostQuery.of(words), null, SearchIndex.MAX_HITS).stream()
        .map(PostHit::id)
        .toList();
  }

  @Test
  void rebuild_correctsEachDifference_andARepetitionNothing() throws IOException {
    plant();
    assertThat(found("surplus")).hasSize(1);

    var done = rebuild(upkeep);
    assertThat(done.work().written()).isEqualTo(4);
    assertThat(done.work().removed()).isEqualTo(2);
    assertThat(done.work().readUnits()).isPositive();
    assertThat(found("planted")).isEmpty();
    assertThat(found("surplus")).isEmpty();
    assertThat(found("")).hasSize(6);
    assertThat(index.findAccounts("surplus", null, 10)).isEmpty();
    assertThat(compare(false).isClean()).isTrue();

    var again = rebuild(upkeep);
    assertThat(again.work().written() + again.work().removed()).isZero();
    assertThat(again.rows()).isEqualTo(done.rows());
  }

  /** The machine room of the page says the same as the command. */
  @Test
  void verificationOfThePage_comparesTheIndex() throws IOException {
    var verifier = new PlatformVerifier(world.platform(), Long.MAX_VALUE, SETTLING);
    assertThat(verifier.verify(_ -> {}))
        .filteredOn(check -> check.check().contains("index"))
        .hasSizeGreaterThanOrEqualTo(2)
        .allMatch(check -> check.drifts() == 0);

    plant();

    var drifts = new TreeMap<String, Long>();
    verifier.verify(_ -> {}).forEach(check -> drifts.put(check.check(), check.drifts()));
    for (var line : compare(false).lines()) {
      assertThat(drifts).containsEntry(line.check(), line.drifts());
      assertThat(line.drifts()).isPositive();
    }
  }

  @Test
  void rebuild_removesEntriesBehindTheFirstPageOfTheIndex() throws IOException {
    int surplus = 600;
    for (int i = 0; i < surplus; i++) {
      index.putPost(post(id("surplus" + i), "1", "surplus"), LATER + "001");
    }
    index.refresh();

    assertThat(rebuild(upkeep).work().removed()).isEqualTo(surplus);
  }

  /** What was hidden or deleted without an event is removed too. */
  @Test
  void rebuild_afterChangesWithoutEvents_followsTheTable() throws IOException {
    var hidden = world.postOf("1");
    var deleted = world.postOf("2");
    world.steal(deleted.key());
    world.steal(hidden.key());

    assertThat(rebuild(upkeep).work().removed()).isEqualTo(2);
    assertThat(found("")).hasSize(4).doesNotContain(hidden.postId(), deleted.postId());
  }

  /** An index that ends after some calls, as a process that is killed. */
  private record Failing(IndexUpkeep right, AtomicInteger left) implements IndexUpkeep {
    private IndexUpkeep called() {
      if (left.getAndDecrement() <= 0) {
        throw new IllegalStateException("killed");
      }
      return right;
    }

    @Override
    public Alignment align(EntryKind kind, Collection<String> ids) {
      return called().align(kind, ids);
    }

    @Override
    public List<IndexState> states(EntryKind kind, Collection<String> ids) {
      return called().states(kind, ids);
    }

    @Override
    public List<IndexState> statesAfter(EntryKind kind, String after, int limit) {
      return called().statesAfter(kind, after, limit);
    }

    @Override
    public List<String> postsOf(String authorId) {
      return right.postsOf(authorId);
    }
  }

  @Test
  void rebuild_thatWasCutOffAnywhere_isCompletedByAnother() throws IOException {
    int whole = calls();
    for (int calls = 0; calls < whole; calls++) {
      plant();
      cutOffAfter(calls, _ -> {});
      rebuild(upkeep);
      assertThat(compare(false).isClean()).isTrue();
    }
  }

  /** Two rebuilds, of which the second goes on, compare each row once and correct everything. */
  @Test
  void rebuild_thatWasCutOffAnywhere_isCompletedAtItsPosition() throws IOException {
    long all = rebuild(upkeep).rows();
    int whole = calls();
    var positions = new HashSet<String>();
    for (int calls = 0; calls < whole; calls++) {
      plant();
      var reached = new ArrayList<>(List.of(Progress.NONE));
      cutOffAfter(
          calls,
          progress -> {
            if (!progress.reached().equals(reached.getLast().reached())) {
              reached.add(progress);
            }
          });
      var first = reached.getLast();
      var position = first.reached().map(at -> WalkPosition.parse(at.text()));
      position.ifPresent(at -> positions.add(at.text()));

      var second = rebuild(upkeep, position, _ -> {});

      assertThat(first.rows() + second.rows()).isEqualTo(all);
      assertThat(compare(false).isClean()).as("after %d calls", calls).isTrue();
    }
    assertThat(positions).anyMatch(text -> text.startsWith("table/"));
    assertThat(positions).anyMatch(text -> text.startsWith("post/"));
  }

  /** Returns how often a rebuild that finds differences calls the index. */
  private int calls() throws IOException {
    plant();
    var left = new AtomicInteger(Integer.MAX_VALUE);
    rebuild(new Failing(upkeep, left));
    return Integer.MAX_VALUE - left.get();
  }

  private void cutOffAfter(int calls, Consumer<Progress> progress) {
    var failing = new Failing(upkeep, new AtomicInteger(calls));
    assertThatIllegalStateException()
        .isThrownBy(() -> rebuild(failing, Optional.empty(), progress));
  }

  @Test
  void rebuilds_whileOthersWrite_loseNothing() throws Exception {
    var posts = new Posts(world.table());
    var post = world.postOf("1");
    var writer =
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int i = 0; i < 60; i++) {
                    var visibility = i % 2 == 0 ? Visibility.PRIVATE : Visibility.PUBLIC;
                    posts.changeVisibility(post.postId(), "1", visibility);
                  }
                });
    do {
      rebuild(upkeep);
    } while (writer.isAlive());
    writer.join();

    var report = comparison(IndexComparison.SETTLING).compare(world::drain, false);
    assertThat(report.isClean()).as(report.render()).isTrue();
    // The index may have been equal before the last two events, which hide the post and show it.
    Polling.until(() -> isFound(post.postId()));
  }

  /** A search does not find what is not refreshed yet. */
  private boolean isFound(String postId) {
    try {
      index.refresh();
      return found("").contains(postId);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void comparison_findsEachDifferenceAndCorrectsIt() throws IOException {
    plant();

    var report = compare(false);
    assertThat(report.render())
        .contains("the index lacks POST#", "the index lacks USER#1 / META")
        .contains("the index has another content of USER#2 / META")
        .contains("the index has POST#" + id("gone"), "which is gone or not public");
    assertThat(report.lines()).extracting(Report.Line::check).hasSize(2);
    var fixed = compare(true);
    assertThat(fixed.isClean()).as(fixed.render()).isTrue();
    assertThat(compare(false).isClean()).isTrue();
  }

  /** The stream is held, so the index has not followed when the comparison begins. */
  @Test
  void comparison_ofAnIndexThatIsBehind_waits() {
    world.hold();
    var post = world.postOf("1");
    new Posts(world.table()).changeVisibility(post.postId(), "1", Visibility.PRIVATE);

    var report = comparison(IndexComparison.SETTLING).compare(world::drain, false);

    assertThat(report.isClean()).as(report.render()).isTrue();
  }

  @Test
  void commands_reindexVerifyAndProve() throws IOException {
    plant();
    assertThat(run("verify", AT_ONCE).code()).isEqualTo(1);
    var done = run("reindex");
    assertThat(done.code()).as(done.err()).isZero();
    assertThat(done.out()).contains("4 written, 2 removed", "read units");
    assertThat(run("reindex", "--per-second", "100000").out()).contains("0 written, 0 removed");
    plant();
    assertThat(run("verify", "--fix", AT_ONCE).code()).isZero();
    var verified = run("verify");
    assertThat(verified.code()).isZero();
    assertThat(verified.out()).contains("rows in the index", "index entries");

    new Erasures(world.table(), new Users(world.table())).begin("3", Fault.now());
    world.drain();
    assertThat(run("erasure", "3", "--prove").out())
        .contains("0 entries of the search index are of the account.");
    index.putPost(post(id("kept"), "3", "kept"), "1");
    index.putAccount(new IndexedAccount("3", "three", "Three"), LATER);
    var proof = run("erasure", "3", "--prove", AT_ONCE);
    assertThat(proof.code()).isEqualTo(1);
    assertThat(proof.out())
        .contains("the search index has the account 3")
        .contains("the search index has its post " + id("kept"), "2 entries of the search index");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "3601", "NaN"})
  void timeForTheIndex_thatIsNone_isRefused(String seconds) {
    var option = "--index-settle-seconds=" + seconds;
    for (var refused : List.of(run("verify", option), run("erasure", "3", "--prove", option))) {
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err()).contains("--index-settle-seconds must be 0 to 3,600");
    }
  }

  /** Each of the nine rows and nine entries counts. */
  @Test
  void reindex_comparesNoFasterThanItMay() {
    var began = Instant.now();

    assertThat(run("reindex", "--per-second", "5").out())
        .contains("9 rows and 9 entries compared, 0 written, 0 removed");

    assertThat(Duration.between(began, Instant.now())).isGreaterThan(Duration.ofSeconds(2));
  }

  /** The platform goes away in the middle, and is there again. */
  @Test
  void reindex_thatWasCutOff_saysWhereItGoesOn() throws IOException {
    plant();
    var left = new AtomicInteger();
    var before = startProxy(left);
    try {
      var away = URI.create("http://127.0.0.1:" + before.getAddress().getPort());
      String from = "";
      // The first request asks whether there is an index.
      for (int calls = 1; from.isEmpty(); calls++) {
        left.set(calls);
        var stopped = CommandRun.on(world.platform(), away, "reindex");
        assertThat(stopped.code()).isEqualTo(2);
        from = positionIn(stopped.err());
      }
      left.set(Integer.MAX_VALUE);

      var done = CommandRun.on(world.platform(), away, "reindex", "--from", from);

      assertThat(done.code()).as(done.err()).isZero();
      assertThat(compare(false).isClean()).isTrue();
    } finally {
      before.stop(0);
    }
    var entries = run("reindex", "--from", "post/");
    assertThat(entries.out()).startsWith("0 rows and ").contains("0 written, 0 removed");
    assertThat(run("reindex", "--from", "account/").out()).startsWith("0 rows and 3 entries");
  }

  private static String positionIn(String err) {
    var found = Pattern.compile("The run has stopped. Go on with --from (\\S+)").matcher(err);
    return found.find() ? found.group(1) : "";
  }

  /** Passes some requests on to the platform. */
  private HttpServer startProxy(AtomicInteger left) throws IOException {
    var proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var http = HttpClient.newHttpClient();
    proxy.createContext(
        "/",
        exchange -> {
          try (exchange) {
            if (left.getAndDecrement() <= 0) {
              exchange.sendResponseHeaders(503, -1);
              return;
            }
            var request =
                HttpRequest.newBuilder(
                        world.platform().api().resolve(exchange.getRequestURI().toString()))
                    .header("Content-Type", "application/json")
                    .method(
                        exchange.getRequestMethod(),
                        BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()))
                    .build();
            var answer = http.send(request, BodyHandlers.ofByteArray());
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
            exchange.getResponseBody().write(answer.body());
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    proxy.start();
    return proxy;
  }

  @Test
  void reindex_fromNoPosition_saysWhatOneIs() {
    var refused = run("reindex", "--from", "USER#1 / META");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .contains("--from: 'USER#1 / META' is no position. Copy one that a run has printed");
  }

  @Test
  void reindex_withoutAPlatformOrAnIndex_saysWhatToDo() {
    var absent = CommandRun.on(world.platform(), URI.create("http://127.0.0.1:1"), "reindex");
    assertThat(absent.code()).isEqualTo(2);
    assertThat(absent.err()).contains("No platform answers at", "./feed up", "--url");

    var other = CommandRun.on(world.platform(), world.platform().dynamodb(), "reindex");
    assertThat(other.code()).isEqualTo(2);
    assertThat(other.err()).contains("does not let its search index be compared: HTTP");
    assertThat(run("reindex", "--per-second", "0").err()).contains("must be more than 0");
  }

  private CommandRun run(String... arguments) {
    return CommandRun.on(world.platform(), arguments);
  }
}
