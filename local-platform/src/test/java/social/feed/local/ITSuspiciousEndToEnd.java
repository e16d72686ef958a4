package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.local.PlatformSettings.Processes;
import social.feed.table.suspicion.SuspicionRules;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;

/** A ring of bots on a whole platform, from its follows to the operator who slows it down. */
@LongRunning
class ITSuspiciousEndToEnd {
  private static final String LIST = "/v1/operator/suspicious";
  private static final int BOTS = 5;
  private static final int TARGETS = 30;

  private final WebhookReceiver receiver = new WebhookReceiver();

  /** Names no types. */
  private final WebhookReceiver ofAll = new WebhookReceiver();

  @AfterEach
  void stop() {
    receiver.close();
    ofAll.close();
  }

  @Test
  void ring_isListed_published_andSlowedDown() {
    var settings =
        PlatformSettings.inMemory()
            .withoutXray()
            .withWebhooks(List.of(URI.create(ofAll.address())));
    try (var platform = LocalPlatform.start(settings)) {
      var operator = Caller.operator(platform.api());
      listenFor(operator);
      var targets = registered(platform, "target", TARGETS);
      var bots = registered(platform, "bot", BOTS);
      var reader = Caller.registered(platform.api(), "reader");

      for (var bot : bots) {
        targets.forEach(target -> assertThat(follow(bot, target)).isEqualTo(204));
      }
      targets.subList(0, TARGETS - 1).forEach(target -> follow(reader, target));

      var ring = bots.stream().map(Caller::id).toList();
      Polling.until(() -> listed(operator).containsAll(ring));
      Polling.until(() -> published().containsAll(ring));
      assertThat(listed(operator)).containsExactlyInAnyOrderElementsOf(ring);

      Caller.registered(platform.api(), "last");
      Polling.until(
          () ->
              ofAll.hasReceived("account.registered", call -> call.text("user_id").equals("last")));
      assertThat(ofAll.calls("account.suspicious")).isEmpty();
      assertThat(ofAll.calls("notification.created")).isEmpty();
      assertThat(ofAll.calls("follow.created")).isNotEmpty();

      var until = "{\"until\":\"" + Instant.now().plus(Duration.ofDays(1)) + "\"}";
      assertThat(operator.put(LIST + "/bot0/slow-down", until).status()).isEqualTo(204);
      assertThat(follow(bots.getFirst(), reader)).isEqualTo(429);
      assertThat(follow(bots.getLast(), reader)).isEqualTo(204);
      assertThat(operator.post(LIST + "/bot1/dismiss").status()).isEqualTo(204);
      assertThat(listed(operator)).doesNotContain("bot1").contains("bot0");
      assertThat(reader.get(LIST).status()).isEqualTo(404);
    }
  }

  /** In one process, and with the multiplexer in others. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void thresholds_areThoseOfTheSettings_andAccountsAreCounted(int multiplexers) {
    var settings =
        new PlatformSettings(
                Optional.empty(),
                0,
                0,
                0,
                PlatformSettings.CELEBRITY_THRESHOLD,
                new Processes(0, multiplexers),
                true,
                List.of())
            .withSuspicion(SuspicionRules.STANDARD.with(Map.of("follows", "5", "score", "30")));
    try (var platform = LocalPlatform.start(settings)) {
      var operator = Caller.operator(platform.api());
      var targets = registered(platform, "target", 5);
      var eager = Caller.registered(platform.api(), "eager");
      assertThat(suspicious(platform)).isEqualTo("feed_suspicious_accounts_total 0.0");

      // A burst has 20 points, and a new account 15 more.
      targets.forEach(target -> assertThat(follow(eager, target)).isEqualTo(204));

      Polling.until(() -> listed(operator).equals(List.of("eager")));
      Polling.until(() -> suspicious(platform).equals("feed_suspicious_accounts_total 1.0"));
    }
  }

  private static String suspicious(LocalPlatform platform) {
    try (var client = HttpClient.newHttpClient()) {
      var metrics = HttpRequest.newBuilder(platform.api().resolve("/metrics")).build();
      return client
          .send(metrics, BodyHandlers.ofLines())
          .body()
          .filter(line -> line.startsWith("feed_suspicious_accounts"))
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A webhook applies a second or two after it is created. */
  private void listenFor(Caller operator) {
    var created = receiver.createdBy(operator, "account.suspicious", "account.registered");
    assertThat(created.status()).isEqualTo(201);
    var early = new AtomicInteger();
    WebhookReceiver.repeatUntil(
        () -> Caller.registered(operator.api(), "early" + early.incrementAndGet()),
        () -> !receiver.calls().isEmpty());
  }

  /** The accounts that the webhook was called for as suspicious. */
  private List<String> published() {
    return receiver.calls("account.suspicious").stream().map(call -> call.text("user_id")).toList();
  }

  private static List<Caller> registered(LocalPlatform platform, String name, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Caller.registered(platform.api(), name + i))
        .toList();
  }

  private static int follow(Caller follower, Caller followee) {
    return follower.post("/v1/users/" + followee.id() + "/follow").status();
  }

  private static List<String> listed(Caller operator) {
    var items = operator.get(LIST).body().path("items");
    return StreamSupport.stream(items.spliterator(), false)
        .map(item -> item.path("user_id").asText())
        .toList();
  }
}
