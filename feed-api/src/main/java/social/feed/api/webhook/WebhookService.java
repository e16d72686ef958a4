package social.feed.api.webhook;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.idempotency.Created;
import social.feed.api.edge.idempotency.NewResource;
import social.feed.api.edge.idempotency.PendingCreation;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountLookup;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.event.webhook.WebhookCalls;
import social.feed.event.webhook.WebhookSecret;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Erasure;
import social.feed.table.row.FormerSecret;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookDelivery;
import social.feed.table.webhook.StoredWebhooks;
import social.feed.table.webhook.WebhookHistory;
import social.feed.table.webhook.Webhooks;

/** Manages webhooks. Their rows name no account, so any operator can manage all of them. */
@Singleton
@Requires(property = "feed.webhooks.enabled", value = "true")
final class WebhookService {
  /** How long a replaced secret still signs, so that its receivers have time to change it. */
  private static final Duration FORMER_SECRET = Duration.ofDays(1);

  /** Each test holds a connection for seconds. */
  private static final int TESTS_AT_ONCE = 4;

  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  /** A test has no account as its actor. */
  private static final String TESTER = "operator";

  /** As the version of other events: text of one length that sorts. */
  private static final String VERSION = "%010d-%040d";

  private final Webhooks webhooks;
  private final WebhookHistory history;
  private final WebhookCalls calls;
  private final AccountLookup accounts;
  private final InstantSource clock;
  private final Semaphore tests = new Semaphore(TESTS_AT_ONCE);

  WebhookService(
      Webhooks webhooks,
      WebhookHistory history,
      WebhookCalls calls,
      AccountLookup accounts,
      InstantSource clock) {
    this.webhooks = webhooks;
    this.history = history;
    this.calls = calls;
    this.accounts = accounts;
    this.clock = clock;
  }

  /**
   * Prepares a webhook. Two read units, three for a caller without a profile; writing it costs one
   * more and six write units. Looks up the host of the address, which takes up to 5 s.
   *
   * @throws ProblemException {@code webhook_refused}, {@code webhook_limit_reached}, {@code
   *     invalid_content}, {@code account_erased}
   */
  PendingCreation draft(Viewer viewer, WebhookRequest request, NewResource resource) {
    accounts.requireNotErased(viewer);
    Webhook webhook =
        Webhook.of(
            resource.id(),
            reachable(request.url()),
            EventTypes.of(request.eventTypes()),
            orNone(request.description()),
            request.enabled() == null || request.enabled(),
            WebhookSecret.random().text(),
            resource.createdAt());
    if (!webhooks.hasRoom()) {
      throw full();
    }
    Created created = new Created(HttpStatus.CREATED, WebhookBody.withSecret(webhook));
    return new PendingCreation(
        created,
        List.of(webhook),
        List.of(Erasure.key(viewer.userId())),
        transaction -> webhooks.creating(transaction, webhook),
        () -> {
          accounts.requireNotErased(viewer);
          return created(webhook, created);
        });
  }

  private Created created(Webhook webhook, Created created) {
    return switch (webhooks.create(webhook)) {
      case CREATED -> created;
      case LIMIT_REACHED -> throw full();
    };
  }

  private static ProblemException full() {
    return new ProblemException(ProblemCode.WEBHOOK_LIMIT_REACHED);
  }

  private String reachable(String url) {
    try {
      calls.requireReachable(new URI(url));
      return url;
    } catch (URISyntaxException e) {
      throw new ProblemException(
          ProblemCode.WEBHOOK_REFUSED, "The address is no URI: " + e.getReason());
    } catch (IllegalArgumentException e) {
      throw new ProblemException(ProblemCode.WEBHOOK_REFUSED, String.valueOf(e.getMessage()));
    }
  }

  private static @Nullable String orNone(@Nullable String description) {
    return description == null || description.isEmpty() ? null : description;
  }

  /** Returns all webhooks. One read unit, and one for each. */
  WebhooksBody all() {
    StoredWebhooks all = webhooks.all();
    return new WebhooksBody(
        all.readable().stream().map(WebhookBody::of).toList(), all.unreadable());
  }

  /** Returns a webhook. One read unit. */
  WebhookBody get(String webhookId) {
    return WebhookBody.of(stored(webhookId));
  }

  private Webhook stored(String webhookId) {
    return webhooks.get(webhookId).orElseThrow(WebhookService::missing);
  }

  private static ProblemException missing() {
    return new ProblemException(ProblemCode.NOT_FOUND, "There is no such webhook");
  }

  /**
   * Changes a webhook. Two read units and four write units.
   *
   * @throws ProblemException {@code not_found}, {@code webhook_refused}, {@code invalid_content},
   *     {@code too_many_secrets}
   */
  WebhookBody change(String webhookId, WebhookChangeRequest request) {
    // A webhook that does not exist is 404 with any body.
    Webhook before = stored(webhookId);
    @Nullable String url =
        request.url() == null || request.url().equals(before.url())
            ? null
            : reachable(request.url());
    @Nullable List<String> types =
        request.eventTypes() == null ? null : EventTypes.of(request.eventTypes());
    boolean isRotated = Boolean.TRUE.equals(request.rotateSecret());
    String secret = WebhookSecret.random().text();
    Webhook after =
        webhooks
            .change(
                webhookId,
                webhook -> {
                  Webhook changed =
                      webhook.with(
                          url == null ? webhook.url() : url,
                          types == null ? webhook.eventTypes() : types,
                          request.description() == null
                              ? webhook.description()
                              : orNone(request.description()),
                          request.enabled() == null ? webhook.isEnabled() : request.enabled());
                  return isRotated ? withSecret(changed, secret) : changed;
                })
            .orElseThrow(WebhookService::missing);
    return isRotated ? WebhookBody.withSecret(after) : WebhookBody.of(after);
  }

  /** Ends no former secret early: a receiver may still have it. */
  private Webhook withSecret(Webhook webhook, String secret) {
    Instant now = now();
    List<FormerSecret> former = webhook.formerSecrets(now);
    if (former.size() >= Webhook.FORMER_MAX) {
      Instant end = former.getLast().until();
      throw new ProblemException(
          ProblemCode.TOO_MANY_SECRETS,
          "%d former secrets of the webhook still sign its calls, the first one until %s"
              .formatted(former.size(), Timestamps.format(end)),
          Duration.between(now, end));
    }
    return webhook.withSecret(secret, now, now.plus(FORMER_SECRET));
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /** Deletes a webhook. One read unit and six write units. */
  void delete(String webhookId) {
    if (!webhooks.delete(webhookId)) {
      throw missing();
    }
  }

  /** Returns the last calls of a webhook. Up to two read units. */
  WebhookDeliveriesBody deliveries(String webhookId) {
    return new WebhookDeliveriesBody(
        history.of(webhookId).orElseThrow(WebhookService::missing).stream()
            .map(WebhookDeliveryBody::of)
            .toList());
  }

  /**
   * Calls a webhook with a test event. Up to three read units and six write units.
   *
   * @throws ProblemException {@code not_found}, {@code rate_limited} while this process has as many
   *     tests as it may have
   */
  WebhookDeliveryBody test(String webhookId) {
    Webhook webhook = stored(webhookId);
    return inTurn(
        () -> {
          DomainEvent event = testOf(webhook);
          List<WebhookSecret> secrets =
              webhook.secrets(now()).stream().map(WebhookSecret::of).toList();
          var outcome = calls.call(URI.create(webhook.url()), secrets, event);
          WebhookDelivery delivery =
              new WebhookDelivery(
                  event.id(),
                  event.type().eventName(),
                  now(),
                  outcome.isDelivered(),
                  outcome.status(),
                  outcome.error(),
                  outcome.took().toMillis());
          history.add(webhookId, List.of(delivery));
          return WebhookDeliveryBody.of(delivery);
        });
  }

  private <T> T inTurn(Supplier<T> work) {
    if (!tests.tryAcquire()) {
      throw new ProblemException(
          ProblemCode.RATE_LIMITED, "Other webhooks are being tested", RETRY_AFTER);
    }
    try {
      return work.get();
    } finally {
      tests.release();
    }
  }

  /** Two tests are two events, also within one second. */
  private DomainEvent testOf(Webhook webhook) {
    Instant now = clock.instant();
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, now);
    return new DomainEvent(
        EventType.WEBHOOK_TEST,
        now.truncatedTo(ChronoUnit.SECONDS),
        "webhook:" + webhook.webhookId(),
        VERSION.formatted(now.getEpochSecond(), micros),
        TESTER,
        new TreeMap<>(Map.of("webhook_id", webhook.webhookId())));
  }
}
