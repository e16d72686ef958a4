package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.local.FaultyProxy.Fault;
import social.feed.testkit.StandInCommands;
import social.feed.testkit.StandInCommands.Outcome;

/** Tests {@code infra/smoke} against a platform, and that it finds each wrong response. */
@TestInstance(Lifecycle.PER_CLASS)
class ITSmoke {
  private static final String PASSED = "post, feed, delivery, count";

  /** The seconds to wait for what never comes. */
  private static final int SOON = 1;

  /** The same, where the lanes must have delivered before, also on a busy machine. */
  private static final int DELIVERED = 6;

  /** The seconds to wait for what comes. */
  private static final int LONG = 60;

  private LocalPlatform platform;
  private Members members;
  private StandInCommands commands;

  @BeforeAll
  void start(@TempDir Path folder) {
    commands = new StandInCommands(folder);
    platform = LocalPlatform.start(PlatformSettings.inMemory());
    members = new Members(platform.api());
  }

  @AfterAll
  void stop() {
    platform.close();
  }

  private Outcome smoke(String member, int patience, String... addresses)
      throws IOException, InterruptedException {
    return commands.run(
        Map.of("FEED_TOKEN", members.token(member), "SMOKE_PATIENCE", Integer.toString(patience)),
        Stream.concat(Stream.of("../infra/smoke"), Stream.of(addresses)).toArray(String[]::new));
  }

  @Test
  void member_withoutAnAccount_leavesNone() throws Exception {
    var api = platform.api().toString();

    var result = smoke("visitor", LONG, api, api);

    assertThat(result.output()).contains(PASSED, "stream and deletion");
    assertThat(result.status()).isZero();
    assertThat(members.read("visitor", "/v1/users/me").path("code").textValue())
        .isEqualTo("account_erased");
  }

  @Test
  void member_withAnAccount_keepsIt_asItWas() throws Exception {
    members.register("resident");
    var before = members.read("resident", "/v1/users/me");

    assertThat(smoke("resident", LONG, platform.api().toString()).status()).isZero();
    assertThat(smoke("resident", LONG, platform.api().toString()).status()).isZero();

    assertThat(members.read("resident", "/v1/users/me")).isEqualTo(before);
    assertThat(members.read("resident", "/v1/feed").required("items")).isEmpty();
  }

  /** Wrong responses, and the seconds that the test waits for a right one. */
  static Stream<Arguments> faults() {
    var me = "GET /v1/users/me";
    var post = "GET /v1/posts/[^/]+";
    var feed = "GET /v1/feed";
    return Stream.of(
        Arguments.of(Fault.after(0, me, 200, "{}"), "without a token is not refused", SOON),
        Arguments.of(Fault.after(1, me, 503, "{}"), "account cannot be read", SOON),
        Arguments.of(Fault.once("POST /v1/users", 500), "registration fails", LONG),
        Arguments.of(Fault.once("POST /v1/posts", 202), "post is not created", LONG),
        Arguments.of(Fault.once("POST /v1/posts", 201), "has no id", LONG),
        Arguments.of(Fault.once(post, 404), "post cannot be read", LONG),
        Arguments.of(Fault.once(post, 200), "not the one that was written", LONG),
        Arguments.of(Fault.once(feed, 500), "feed cannot be read", LONG),
        Arguments.of(Fault.once(feed, 200), "feed does not have the post", LONG),
        Arguments.of(
            Fault.after(0, post + "/delivery", 200, "{\"state\":\"planning\"}"),
            "effects lane does not deliver",
            SOON),
        Arguments.of(
            Fault.after(3, me, 200, "{\"posts_count\":0,}"),
            "counts lane does not count",
            DELIVERED),
        Arguments.of(Fault.once("DELETE /v1/posts/.*", 500), "post is not deleted", LONG),
        Arguments.of(Fault.repeated(post), "deleted post is still there", LONG),
        Arguments.of(Fault.repeated(feed), "feed still has the deleted post", LONG),
        Arguments.of(Fault.once("DELETE /v1/users/me", 500), "account is not erased", LONG));
  }

  /** What the test created is gone all the same. */
  @ParameterizedTest
  @MethodSource("faults")
  void wrongResponse_isFound_andNothingRemains(Fault fault, String reason, int patience)
      throws Exception {
    var member = "smoke" + Integer.toHexString(fault.hashCode());
    try (var proxy = new FaultyProxy(platform.api(), fault)) {
      var result = smoke(member, patience, proxy.address());

      assertThat(result.output()).startsWith("smoke: ").contains(reason).doesNotContain("remains");
      assertThat(result.status()).isEqualTo(1);
    }
    assertThat(members.read(member, "/v1/users/me").path("code").textValue())
        .isIn("account_erased", "not_registered");
  }

  @ParameterizedTest
  @CsvSource({"/v1/stream,stream of events,listener", "/v1/users/me/export,export,exporter"})
  void streamedResponseThatDoesNotStart_isFound(String path, String name, String member)
      throws Exception {
    try (var proxy = new FaultyProxy(platform.api(), Fault.once("GET " + path, 404))) {
      var result = smoke(member, LONG, platform.api().toString(), proxy.address());

      assertThat(result.output()).contains("the " + name + " does not start: status 404");
      assertThat(result.status()).isEqualTo(1);
    }
  }

  /** A member exports at most once an hour in production, and may open a stream at any time. */
  @Test
  void refusalOfAnExport_isNoWrongResponse_andThatOfAStreamIs() throws Exception {
    var refused = Fault.after(0, "GET /v1/(users/me/export|stream)", 429, "{}");
    try (var proxy = new FaultyProxy(platform.api(), refused)) {
      var result = smoke("again", LONG, platform.api().toString(), proxy.address());

      assertThat(result.output()).contains("the stream of events does not start: status 429");
    }
  }

  @Test
  void addressOfNothing_isFound() throws Exception {
    var result = smoke("stranger", 0, "http://127.0.0.1:1");

    assertThat(result.output()).contains("status 000");
    assertThat(result.status()).isEqualTo(1);
  }
}
