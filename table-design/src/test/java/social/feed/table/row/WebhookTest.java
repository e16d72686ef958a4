package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.kernel.cost.ItemSize;
import social.feed.table.kernel.schema.RowCodec;

/** The secrets and versions of webhooks, the list of all, and the calls that are kept. */
class WebhookTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:15:00Z");
  private static final Instant LATER = NOW.plusSeconds(60);

  private final Webhook hook =
      Webhook.of("w", "https://one.test", List.of("post.created"), "Search", true, "first", NOW);

  @Test
  void newWebhook_signsWithItsOnlySecret_inVersionOne() {
    assertThat(hook)
        .isEqualTo(
            new Webhook(
                "w",
                "https://one.test",
                List.of("post.created"),
                "Search",
                true,
                "first",
                null,
                null,
                null,
                NOW,
                1));
    assertThat(hook.formerSecrets(NOW)).isEmpty();
    assertThat(hook.secrets(NOW)).containsExactly("first");
  }

  @Test
  void replacedSecret_signsUntilItsTime() {
    var replaced = hook.withSecret("second", NOW, LATER);

    assertThat(replaced.secrets(LATER.minusMillis(1))).containsExactly("second", "first");
    assertThat(replaced.formerSecrets(LATER.minusMillis(1)))
        .containsExactly(new FormerSecret("first", LATER));
    assertThat(replaced.secrets(LATER)).containsExactly("second");
    assertThat(replaced.formerSecrets(LATER)).isEmpty();
  }

  @Test
  void secretsReplacedOneAfterTheOther_signUntilTheirOwnTimes_theLastOneFirst() {
    var third =
        hook.withSecret("second", NOW, LATER)
            .withSecret("third", NOW.plusSeconds(10), LATER.plusSeconds(10))
            .withSecret("fourth", NOW.plusSeconds(20), LATER.plusSeconds(20));

    assertThat(third.secrets(NOW.plusSeconds(30)))
        .containsExactly("fourth", "third", "second", "first");
    assertThat(third.secrets(LATER)).containsExactly("fourth", "third", "second");
    assertThat(third.secrets(LATER.plusSeconds(10))).containsExactly("fourth", "third");
    assertThat(third.secrets(LATER.plusSeconds(20))).containsExactly("fourth");
  }

  @Test
  void secretThatHasEnded_isForgottenByTheNextReplacement() {
    var replaced = hook.withSecret("second", NOW, LATER).withSecret("third", LATER, Instant.MAX);

    assertThat(replaced.olderSecrets()).isNull();
    assertThat(replaced.secrets(NOW)).containsExactly("third", "second");
  }

  @Test
  void replacedSecret_changesNothingElse() {
    var replaced = hook.after(6).withSecret("second", NOW, LATER);

    assertThat(replaced)
        .isEqualTo(
            new Webhook(
                "w",
                "https://one.test",
                List.of("post.created"),
                "Search",
                true,
                "second",
                "first",
                LATER,
                null,
                NOW,
                7));
  }

  @Test
  void otherSettings_keepTheSecretsAndTheVersion() {
    var replaced =
        hook.withSecret("second", NOW, LATER)
            .withSecret("third", NOW, LATER)
            .with("https://two.test", List.of(), null, false);

    assertThat(replaced)
        .isEqualTo(
            new Webhook(
                "w",
                "https://two.test",
                List.of(),
                null,
                false,
                "third",
                "second",
                LATER,
                List.of(new FormerSecret("first", LATER)),
                NOW,
                1));
  }

  @Test
  void versionAfterAnother_isOneMoreThanThatOne() {
    var fifth = hook.after(4);

    assertThat(fifth.version()).isEqualTo(5);
    assertThat(fifth.after(1).version()).isEqualTo(2);
    assertThat(fifth.after(0)).isEqualTo(hook);
  }

  @Test
  void text_thatMayBeLogged_hasNoSecret() {
    var replaced = hook.withSecret("second", NOW, LATER);

    assertThat(replaced.toString()).contains("w", "version 1").doesNotContain("second", "first");
    assertThat(replaced.formerSecrets(NOW).getFirst().toString())
        .contains("2026-11-20T09:16:00Z")
        .doesNotContain("first");
  }

  @Test
  void registry_listsTheWebhooksThatWereAdded_andCountsThem() {
    var other = Webhook.of("v", "https://two.test", List.of(), null, true, "s", LATER);

    var one = WebhookRegistry.EMPTY.with(hook);
    var two = one.with(other);

    assertThat(WebhookRegistry.EMPTY.lists(hook)).isFalse();
    assertThat(one.lists(hook)).isTrue();
    assertThat(one.lists(other)).isFalse();
    assertThat(two)
        .isEqualTo(
            new WebhookRegistry(
                Map.of("w", "2026-11-20T09:15:00.000Z", "v", "2026-11-20T09:16:00.000Z"), 2, 2));
    assertThat(two.with(other)).as("again").isEqualTo(new WebhookRegistry(two.webhooks(), 2, 3));
  }

  @Test
  void registry_withoutAWebhook_countsTheOthers() {
    var one = WebhookRegistry.EMPTY.with(hook);

    assertThat(one.without("w")).isEqualTo(new WebhookRegistry(Map.of(), 0, 2));
    assertThat(one.without("unknown")).isEqualTo(new WebhookRegistry(one.webhooks(), 1, 2));
  }

  @Test
  void registry_withAWrongNumber_isCountedInItsNextVersion() {
    var wrong = new WebhookRegistry(Map.of("w", "2026-11-20T09:15:00.000Z"), 7, 4);

    assertThat(wrong.counted()).isEqualTo(new WebhookRegistry(wrong.webhooks(), 1, 5));
  }

  @Test
  void deliveries_areNewestFirst_andThoseOfOneTimeInTheOrderOfTheirEvents() {
    var none = WebhookDeliveries.none("w");

    var first = none.and(List.of(call("b", NOW, true), call("a", NOW, false)), NOW);
    var second = first.and(List.of(call("c", LATER, true)), LATER);

    assertThat(none).isEqualTo(new WebhookDeliveries("w", List.of(), 1));
    assertThat(first).returns("w", WebhookDeliveries::webhookId);
    assertThat(ids(first)).containsExactly("a", "b");
    assertThat(first.version()).isEqualTo(2);
    assertThat(ids(second)).containsExactly("c", "a", "b");
    assertThat(second.version()).isEqualTo(3);
  }

  @Test
  void delivery_isKeptForLessThanSevenDays() {
    var call = call("a", NOW, true);
    var end = NOW.plus(Duration.ofDays(7));

    assertThat(WebhookDeliveries.newest(Stream.of(call), end.minusMillis(1))).containsExactly(call);
    assertThat(WebhookDeliveries.newest(Stream.of(call), end)).isEmpty();
  }

  @Test
  void failure_staysThoughManyCallsSucceedAfterIt_andTheOtherWayRound() {
    for (boolean delivered : new boolean[] {false, true}) {
      var row =
          WebhookDeliveries.none("w")
              .and(List.of(call("old", NOW, delivered)), NOW)
              .and(calls(25, !delivered), LATER);

      assertThat(row.deliveries())
          .hasSize(WebhookDeliveries.KEPT + 1)
          .endsWith(call("old", NOW, delivered));
      assertThat(ids(row)).startsWith("e24", "e23").contains("e15").doesNotContain("e14");
    }
  }

  @Test
  void deliveries_areTenSuccessesAndTenFailuresAtMost() {
    var all = Stream.concat(calls(15, true).stream(), calls(15, false).stream());

    var kept = WebhookDeliveries.newest(all, LATER);

    assertThat(kept).filteredOn(WebhookDelivery::delivered).hasSize(10);
    assertThat(kept).filteredOn(call -> !call.delivered()).hasSize(10);
  }

  /** The message of a failure may hold what the receiver sent. */
  @ParameterizedTest
  @ValueSource(strings = {"x", "ä", "€", "\uD83D\uDC4B"})
  void deliveries_haveSixKilobytesAtMost_inAnyLanguage(String character) {
    var id = "evt_" + "0".repeat(32);
    var type = "post.visibility_changed";
    var failed =
        IntStream.range(0, 10)
            .mapToObj(
                _ -> new WebhookDelivery(id, type, NOW, false, 503, character.repeat(999), 9));
    var delivered =
        IntStream.range(0, 10)
            .mapToObj(_ -> new WebhookDelivery(id, type, NOW, true, 204, null, 10_000));
    var calls = Stream.concat(failed, delivered).toList();

    var row = new WebhookDeliveries("0".repeat(26), calls, 1_000_000);

    assertThat(ItemSize.of(RowCodec.encode(row))).isLessThanOrEqualTo(6 * 1024);
    assertThat(calls.getFirst().error())
        .isEqualTo(character.repeat(200 / character.getBytes(StandardCharsets.UTF_8).length));
  }

  /** Calls of one outcome, one each second from the first time on. */
  private static List<WebhookDelivery> calls(int number, boolean delivered) {
    return IntStream.range(0, number)
        .mapToObj(i -> call("e%02d".formatted(i), NOW.plusSeconds(i + 1L), delivered))
        .toList();
  }

  private static WebhookDelivery call(String eventId, Instant at, boolean delivered) {
    return delivered
        ? new WebhookDelivery(eventId, "post.created", at, true, 204, null, 12)
        : new WebhookDelivery(eventId, "post.created", at, false, 500, "It answered 500", 12);
  }

  private static List<String> ids(WebhookDeliveries row) {
    return row.deliveries().stream().map(WebhookDelivery::eventId).toList();
  }
}
