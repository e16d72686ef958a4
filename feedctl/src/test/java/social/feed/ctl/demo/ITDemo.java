package social.feed.ctl.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.ctl.Main;
import social.feed.ctl.load.ApiCalls;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.store.TableScanner.Stored;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.user.Users;
import social.feed.testkit.LongRunning;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * Tests the demo world, and that it moves. Its creation and its effects take seconds, so two tests
 * have the same world; the one that moves it comes last.
 */
@LongRunning
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.MethodName.class)
class ITDemo {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final LocalPlatform platform =
      LocalPlatform.start(
          PlatformSettings.inMemory().withCelebritiesFrom(DemoWorld.CELEBRITY_THRESHOLD));
  private final Table table =
      new Table(platform.engine().directClient(), PlatformSettings.TABLE, Retry.standard());

  @BeforeAll
  void create() {
    assertThat(new DemoWorld(table, Instant.now()).create()).isTrue();
    platform.drain(PATIENCE);
  }

  @AfterAll
  void stop() {
    platform.close();
  }

  private static long count(Table table, Class<? extends Row> kind) {
    return new TableScanner(table)
        .items()
        .flatMap(List::stream)
        .filter(item -> item instanceof Stored stored && kind.isInstance(stored.row()))
        .count();
  }

  @Test
  void world_hasAccountsPostsAndACelebrity_andMoves() throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      assertThat(count(table, User.class)).isEqualTo(60);
      assertThat(count(table, Post.class)).isEqualTo(300);
      var nova = new Users(table).get("nova_sterling").orElseThrow();
      assertThat(nova.isCelebrity()).isTrue();
      assertThat(nova.followersCount()).isGreaterThan(DemoWorld.CELEBRITY_THRESHOLD);
      assertThat(new DemoWorld(table, Instant.now()).create()).isFalse();
      var accounts =
          http.send(
              HttpRequest.newBuilder(platform.api().resolve("/v1/dev/accounts")).build(),
              BodyHandlers.ofString());
      assertThat(accounts.body()).contains("{\"items\":[").contains("ada_okafor");

      var out = new StringWriter();
      int code =
          Main.commandLine()
              .setOut(new PrintWriter(out, true))
              .execute("demo", "--url", platform.api().toString(), "--seconds", "3");

      assertThat(code).isZero();
      assertThat(out.toString()).containsPattern("\\d+ (posts|likes|comments|follows)");
    }
  }

  @Test
  void eachAccount_followsOthers_andHasAFeed() throws Exception {
    try (var api = new ApiCalls(platform.api(), Map.of())) {
      for (var name : DemoTexts.NAMES) {
        var id = DemoTexts.id(name);
        api.signIn(id);
        assertThat(api.send(id, "GET", "/v1/users/" + id + "/following").ids()).as(id).isNotEmpty();
        assertThat(api.send(id, "GET", "/v1/feed?limit=10").ids()).as(id).hasSize(10);
      }
    }
  }

  private static Set<Key> keys(Table table) {
    return new TableScanner(table)
        .items()
        .flatMap(List::stream)
        .map(TableScanner.Item::key)
        .collect(Collectors.toSet());
  }

  /** Fails each write after the first ones, as the end of a process does. */
  private record LastWrite(AtomicInteger left) implements ExecutionInterceptor {
    @Override
    public void beforeExecution(
        Context.BeforeExecution context, ExecutionAttributes executionAttributes) {
      boolean isWrite =
          context.request() instanceof PutItemRequest
              || context.request() instanceof TransactWriteItemsRequest;
      if (isWrite && left.decrementAndGet() < 0) {
        throw new UncheckedIOException(new InterruptedIOException("The process ends"));
      }
    }
  }

  /** The interruptions are after the mark, and in the accounts, follows, posts and likes. */
  @Test
  void interruptedWorld_isContinued_withTheRowsThatItWouldHave() {
    var begun = Instant.parse("2026-03-01T12:00:00Z");
    try (var whole = TestTable.start();
        var interrupted = TestTable.start()) {
      assertThat(new DemoWorld(whole.table(), begun).create()).isTrue();
      var later = begun;
      for (int writes : new int[] {1, 30, 300, 600, 1_200}) {
        var client = interrupted.newClient(new LastWrite(new AtomicInteger(writes)));
        var table = new Table(client, interrupted.table().name(), Retry.standard());
        var world = new DemoWorld(table, later);
        assertThatThrownBy(world::create).hasStackTraceContaining("The process ends");
        client.close();
        later = later.plus(Duration.ofHours(5));
      }

      assertThat(new DemoWorld(interrupted.table(), later).create()).isTrue();

      assertThat(keys(interrupted.table())).isEqualTo(keys(whole.table()));
      assertThat(count(whole.table(), Post.class)).isEqualTo(300);
    }
  }

  /** Also ones that have the first or the last id of the demo, however old they are. */
  @ParameterizedTest
  @CsvSource({"zoe, 0", "ada_okafor, 0", "ada_okafor, 3", "henrik_dahl, 3"})
  void accountsOfOthers_areLeftAlone(String id, int days) {
    try (var other = TestTable.start()) {
      var now = Instant.now();
      var registered = now.minus(Duration.ofDays(days));
      new Users(other.table()).register(User.registered(id, id, id, null, registered));
      var before = keys(other.table());
      var world = new DemoWorld(other.table(), now);

      assertThatThrownBy(world::create)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("./feed up --demo --in-memory");
      assertThat(keys(other.table())).isEqualTo(before);
    }
  }

  @Test
  void demo_withoutAPlatform_saysWhatToDo() {
    var err = new StringWriter();

    int code =
        Main.commandLine()
            .setErr(new PrintWriter(err, true))
            .execute("demo", "--url", "http://127.0.0.1:1");

    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains("./feed up --demo");
  }
}
