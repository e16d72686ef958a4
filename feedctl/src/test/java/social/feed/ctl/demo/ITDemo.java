package social.feed.ctl.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import social.feed.ctl.Main;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.store.TableScanner.Stored;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/** Tests the demo world, and that it moves. */
class ITDemo {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static long count(Table table, Class<? extends Row> kind) {
    return new TableScanner(table)
        .items()
        .flatMap(List::stream)
        .filter(item -> item instanceof Stored stored && kind.isInstance(stored.row()))
        .count();
  }

  @Test
  void world_hasAccountsPostsAndACelebrity_andMoves() throws Exception {
    try (var platform =
            LocalPlatform.start(
                PlatformSettings.inMemory().withCelebritiesFrom(DemoWorld.CELEBRITY_THRESHOLD));
        var http = HttpClient.newHttpClient()) {
      var table =
          new Table(platform.engine().directClient(), PlatformSettings.TABLE, Retry.standard());

      assertThat(new DemoWorld(table, Instant.now()).create()).isTrue();
      platform.drain(PATIENCE);

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
