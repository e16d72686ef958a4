package social.feed.simulation;

import static java.util.Objects.requireNonNull;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.event.webhook.WebhookCalls;
import social.feed.event.webhook.WebhookSecret;
import social.feed.streams.Multiplexer;
import social.feed.streams.sink.PacedWebhookLog;
import social.feed.streams.sink.Publisher;
import social.feed.streams.sink.RegisteredWebhooks;
import social.feed.streams.sink.SinkConsumer;
import social.feed.streams.sink.SinkMessage;
import social.feed.streams.sink.WebhookPublisher;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Post;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookDeliveries;
import social.feed.table.row.WebhookDelivery;
import social.feed.table.webhook.WebhookHistory;
import social.feed.table.webhook.Webhooks;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.fault.CrashPoint.Crash;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.simulation.StreamedTable;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * A random history of signed calls to receivers that fail, lose answers and lag. Webhooks are
 * disabled and enabled again, get new secrets and are deleted. Records and messages come again long
 * after they were handled, and the processes of the lane and of the sinks are killed between their
 * calls of table, queue and receivers. In every second history the receiver of the first webhook is
 * down for more than a day, and its dead letters are redriven.
 *
 * <p>In the end each webhook that was enabled when an event was handled has it; before the last
 * redrive it may be a dead letter. Copies have one id. Each call has a signature with each secret
 * of its moment and with no other, and none comes a second after the webhook was deleted. The row
 * of deliveries has only calls that were made, the newest one of all, never more than it keeps, and
 * is written no more often than it may be.
 */
final class DeliveryHistory extends SinkHistory {
  private static final int ACTIONS = 90;
  private static final int DOWN_FROM = 25;
  private static final int DOWN_TO = 50;
  private static final int HOURS_AT_ONCE = 5;
  private static final int WEBHOOKS = 4;
  private static final int RECORDS_AGAIN = 9;
  private static final int SECRET_BYTES = 32;

  /** The queue fails for some messages of a redrive, and for few of all of these. */
  private static final int REDRIVES = 20;

  /** A process is killed at one of so many points. */
  private static final int KILLED = 400;

  private static final Instant START = Instant.parse("2029-03-01T12:00:00Z");

  /** A history with a receiver that is down takes more than a day. */
  private static final Duration APART = Duration.ofDays(10);

  /** How old a copy of a webhook may be. The clock goes on by some milliseconds in a call. */
  private static final Duration STALE = Duration.ofMillis(1_100);

  /** How long a former secret signs. */
  private static final Duration FORMER = Duration.ofDays(1);

  /** The time between two writes of a row of deliveries, over time. */
  private static final Duration PACE = Duration.ofSeconds(10);

  private static final Duration SECOND = Duration.ofSeconds(1);

  private static final List<EventType> TYPES =
      List.of(EventType.POST_CREATED, EventType.POST_DELETED);

  /** What is planted, none for the sound system. */
  enum Bug {
    NONE,
    /** The consumer takes a call that failed for a success. */
    REFUSALS_IGNORED,
    /** A message is deleted before it is handled. */
    DELETED_BEFORE_HANDLED,
    /** A redrive deletes the messages and puts none on the queue. */
    DEAD_LETTERS_DROPPED,
    /** A webhook that failed does not rest. */
    RESTS_FORGOTTEN,
    /** The secrets of the first call sign all others. */
    SECRET_KEPT,
    /** A former secret ends at once. */
    FORMER_SECRETS_DROPPED,
    /** Each try has an identity of its own. */
    NEW_ID_FOR_EACH_TRY,
    /** A process calls a webhook as it first knew it, also after its deletion. */
    DELETED_STILL_CALLED,
    /** The row of deliveries is written at the end of each invocation. */
    LOG_WITHOUT_PACE
  }

  /** An event of a post, and the time in which the lane handled it. */
  private record Expected(String entity, EventType type, Instant from, Instant to) {}

  /** What the process of the sinks has in memory. */
  private record SinkProcess(
      RegisteredWebhooks known, PacedWebhookLog log, SinkConsumer consumer) {}

  private final Bug bug;
  private final boolean isDownForDays;
  private final Webhooks stored;
  private final UnsteadyReceivers receivers;
  private final WebhookCalls calls;
  private final Map<String, KnownWebhook> webhooks = new LinkedHashMap<>();
  private final List<Post> posts = new ArrayList<>();
  private final List<Expected> notHandled = new ArrayList<>();
  private final List<Expected> handled = new ArrayList<>();
  private final List<DynamodbStreamRecord> records = new ArrayList<>();
  private final List<DomainEvent> offered = new ArrayList<>();
  private final Set<String> faults = new LinkedHashSet<>();
  private final Map<String, Webhook> first = new HashMap<>();
  private final Map<String, Publisher> kept = new HashMap<>();
  private Multiplexer lane;
  private SinkProcess sinks;
  private boolean isSteady;

  /** Whether the webhook that is down has had its two calls in this process. */
  private boolean isResting;

  private int kills;
  private int tries;
  private int redriven;

  DeliveryHistory(StreamedTable table, long seed, Bug bug) {
    super(table, seed, START.plus(APART.multipliedBy(seed)));
    this.bug = bug;
    this.isDownForDays = seed % 2 == 1;
    this.stored = new Webhooks(sound, MANY);
    this.receivers = new UnsteadyReceivers(clock, this::chance);
    this.calls = new WebhookCalls(true, clock);
    this.lane = startedLane();
    this.sinks = startedSinks();
  }

  /**
   * Returns the way of a process to the table, on which it may be killed.
   *
   * @param isUnsteady whether a call may fail
   */
  private Wire way(boolean isUnsteady) {
    return new Wire() {
      @Override
      public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> real) {
        mayDie();
        if (isUnsteady && !isSteady && chance(20)) {
          throw SdkClientException.create("The table is away");
        }
        A answer = real.apply(request);
        mayDie();
        return answer;
      }
    };
  }

  private RegisteredWebhooks registered() {
    return new RegisteredWebhooks(new Webhooks(table.over(way(true)), MANY), this::nanos);
  }

  private long nanos() {
    return Duration.between(START, clock.instant()).toNanos();
  }

  private Multiplexer startedLane() {
    var known = registered();
    return multiplexer(
        table.over(way(false)),
        PLAN.withEventsWhile(known::isInUse),
        outbox(
            event -> {
              offered.add(event);
              return known.wanting(event);
            }));
  }

  private SinkProcess startedSinks() {
    var known = registered();
    return new SinkProcess(known, newLog(), consumer(known));
  }

  private PacedWebhookLog newLog() {
    return new PacedWebhookLog(new WebhookHistory(table.over(way(false)), clock), this::nanos);
  }

  private SinkConsumer consumer(RegisteredWebhooks known) {
    return consumer(
        sink -> known.publisher(sink, this::publisher).map(publisher -> planted(sink, publisher)),
        known::wanting,
        table.over(way(true)));
  }

  private Publisher planted(String sink, Publisher publisher) {
    // One that stays paused would never be done with its messages.
    return bug == Bug.DELETED_STILL_CALLED && !publisher.isPaused()
        ? requireNonNull(kept.computeIfAbsent(sink, _ -> publisher))
        : publisher;
  }

  private Publisher publisher(Webhook webhook) {
    var publisher =
        WebhookPublisher.of(
            calls, signing(webhook), (id, call) -> sinks.log().add(id, call), clock);
    return event -> {
      try {
        publisher.publish(
            bug == Bug.NEW_ID_FOR_EACH_TRY
                ? versioned(event, event.version() + "-" + tries++)
                : event);
      } catch (IllegalStateException e) {
        if (bug != Bug.REFUSALS_IGNORED) {
          throw e;
        }
      }
      mayDie();
    };
  }

  private Webhook signing(Webhook webhook) {
    return switch (bug) {
      case SECRET_KEPT -> requireNonNull(first.computeIfAbsent(webhook.webhookId(), _ -> webhook));
      case FORMER_SECRETS_DROPPED ->
          Webhook.of(
              webhook.webhookId(),
              webhook.url(),
              webhook.eventTypes(),
              null,
              true,
              webhook.secret(),
              webhook.createdAt());
      default -> webhook;
    };
  }

  @Override
  void mayDie() {
    if (!isSteady && chance(KILLED)) {
      throw new Crash("Killed");
    }
  }

  @Override
  void givesUp(SinkMessage message) {
    if (!clock.instant().isAfter(message.since().plus(SinkMessage.PATIENCE))) {
      faults.add(message + " was given up within a day");
    }
  }

  @Override
  void receives(DynamodbStreamRecord received) {
    records.add(received);
  }

  @Override
  List<String> run() {
    try (receivers;
        calls) {
      var victim = create();
      create();
      var author = world.user("author");
      for (int i = 0; i < ACTIONS; i++) {
        boolean isDown = isDownForDays && i >= DOWN_FROM && i < DOWN_TO;
        if (isDown) {
          receivers.setDown(victim.id);
          clock.advance(Duration.ofMinutes(random.nextInt(60 * HOURS_AT_ONCE)));
        } else {
          receivers.setUp();
          isResting = false;
          clock.advance(Duration.ofMillis(random.nextInt(600)));
        }
        act(author, victim);
        if (chance(3)) {
          deliver();
        }
        if (isDown) {
          invokeWithout(victim);
        } else if (chance(2)) {
          invoke();
        }
        if (chance(15)) {
          comeAgain();
        }
        if (chance(10)) {
          receivers.goOn();
        }
        if (chance(30)) {
          table.rollShards();
        }
        if (i > DOWN_TO && chance(10)) {
          redrive();
        }
      }
      end(author);
      return violations();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void act(Person author, KnownWebhook victim) {
    var others = present().stream().filter(webhook -> !webhook.equals(victim)).toList();
    switch (random.nextInt(12)) {
      case 0 -> {
        if (webhooks.size() < WEBHOOKS) {
          create();
        }
      }
      case 1, 2 -> any(others).ifPresent(webhook -> enable(webhook, !webhook.isEnabled));
      case 3 -> any(present()).ifPresent(this::replaceSecret);
      case 4 -> any(others).filter(_ -> chance(3)).ifPresent(this::delete);
      case 5, 6, 7 -> deleteAny(posts).ifPresent(post -> did(post, EventType.POST_DELETED));
      default -> {
        var post = author.posts("post");
        posts.add(post);
        did(post, EventType.POST_CREATED);
      }
    }
  }

  private void did(Post post, EventType type) {
    notHandled.add(new Expected("post:" + post.postId(), type, Instant.MIN, Instant.MAX));
  }

  private List<KnownWebhook> present() {
    return webhooks.values().stream().filter(KnownWebhook::exists).toList();
  }

  private WebhookSecret newSecret() {
    var bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    return WebhookSecret.of(bytes);
  }

  private KnownWebhook create() {
    var at = Timestamps.now(clock);
    var id = TimeOrderedId.random(at, random);
    var types = webhooks.isEmpty() || chance(2) ? TYPES : List.of(EventType.POST_CREATED);
    var secret = newSecret();
    stored.create(
        Webhook.of(
            id,
            receivers.address(id),
            types.stream().map(EventType::eventName).toList(),
            null,
            true,
            secret.text(),
            at));
    var webhook = new KnownWebhook(id, types);
    webhook.secrets.add(new KnownWebhook.Signing(secret, clock.instant(), Instant.MAX));
    webhook.enabled.put(clock.instant(), true);
    webhook.version = deliveries(id).orElseThrow().version();
    webhooks.put(id, webhook);
    return webhook;
  }

  private void enable(KnownWebhook webhook, boolean isEnabled) {
    stored.change(
        webhook.id, now -> now.with(now.url(), now.eventTypes(), now.description(), isEnabled));
    webhook.isEnabled = isEnabled;
    webhook.enabled.put(clock.instant(), isEnabled);
  }

  /** Replaces a secret, as the route does it: with few former ones. */
  private void replaceSecret(KnownWebhook webhook) {
    var at = Timestamps.now(clock);
    if (webhook.secrets.stream().filter(one -> one.until().isAfter(at)).count()
        > Webhook.FORMER_MAX) {
      return;
    }
    var next = newSecret();
    var until = at.plus(FORMER);
    stored.change(webhook.id, now -> now.withSecret(next.text(), at, until));
    var last = webhook.secrets.removeLast();
    webhook.secrets.add(new KnownWebhook.Signing(last.secret(), last.from(), until));
    webhook.secrets.add(new KnownWebhook.Signing(next, clock.instant(), Instant.MAX));
  }

  private void delete(KnownWebhook webhook) {
    stored.delete(webhook.id);
    webhook.deletedAt = clock.instant();
  }

  /** Delivers the stream until the lane has handled it. */
  private boolean deliver() {
    var from = clock.instant();
    boolean isAny = deliver(this::handleRecords);
    var to = clock.instant();
    notHandled.forEach(one -> handled.add(new Expected(one.entity(), one.type(), from, to)));
    notHandled.clear();
    return isAny;
  }

  private int handleRecords(List<DynamodbStreamRecord> batch) {
    int done = 0;
    try {
      done = handled(lane, batch);
    } catch (Crash e) {
      kills++;
      lane = startedLane();
    }
    if (done < batch.size()) {
      // As the event source waits.
      clock.advance(Duration.ofMillis(300));
    }
    return done;
  }

  private void handleMessage(SinkMessage message) {
    if (bug == Bug.RESTS_FORGOTTEN) {
      sinks = new SinkProcess(sinks.known(), sinks.log(), consumer(sinks.known()));
    }
    try {
      sinks.consumer().handle(message);
    } catch (Crash e) {
      killed();
      if (bug != Bug.DELETED_BEFORE_HANDLED) {
        throw SdkClientException.create("The process was killed", e);
      }
    }
  }

  private void killed() {
    kills++;
    sinks = startedSinks();
    for (var webhook : webhooks.values()) {
      webhook.writes.clear();
      webhook.version = deliveries(webhook.id).map(WebhookDeliveries::version).orElse(0L);
    }
  }

  /** Invokes the function of the sinks: it handles some messages, then it writes deliveries. */
  private void invoke() {
    consume(this::handleMessage);
    var at = clock.instant();
    try {
      sinks.log().flush();
    } catch (Crash e) {
      killed();
    }
    webhooks.values().forEach(webhook -> checkRow(webhook, at));
    if (bug == Bug.LOG_WITHOUT_PACE) {
      sinks = new SinkProcess(sinks.known(), newLog(), sinks.consumer());
    }
  }

  /**
   * Invokes it while a webhook is down. That takes two calls of each process until it rests, and
   * then one of each rest.
   */
  private void invokeWithout(KnownWebhook victim) {
    long before = receivers.calls(victim.id);
    int killsBefore = kills;
    invoke();
    long called = receivers.calls(victim.id) - before;
    int killed = kills - killsBefore;
    if (called > (isResting ? 1 : 2) + 2 * killed) {
      faults.add("%s was called %d times while it was down".formatted(victim.id, called));
    }
    isResting = killed == 0 && (isResting || called == 2);
  }

  private Optional<WebhookDeliveries> deliveries(String webhookId) {
    return sound
        .get(WebhookDeliveries.key(webhookId))
        .map(RowCodec::decode)
        .map(WebhookDeliveries.class::cast);
  }

  /** Compares a row of deliveries with its bounds. */
  private void checkRow(KnownWebhook webhook, Instant at) {
    var row = deliveries(webhook.id);
    if (row.isPresent() != webhook.exists()) {
      faults.add("%s exists, and its deliveries do not, or the other way".formatted(webhook.id));
    }
    if (row.isEmpty()) {
      return;
    }
    var all = row.get().deliveries();
    long successes = all.stream().filter(WebhookDelivery::delivered).count();
    if (Math.max(successes, all.size() - successes) > WebhookDeliveries.KEPT) {
      faults.add("%s has %d deliveries".formatted(webhook.id, all.size()));
    }
    if (row.get().version() != webhook.version) {
      webhook.version = row.get().version();
      webhook.writes.add(at);
      int last = webhook.writes.size() - 1;
      int before = last - PacedWebhookLog.BURST;
      if (before >= 0
          && Duration.between(webhook.writes.get(before), at).plus(SECOND).compareTo(PACE) < 0) {
        faults.add("The deliveries of %s were written too often".formatted(webhook.id));
      }
    }
  }

  /** Hands out old messages and records again, also for all webhooks that want them now. */
  private void comeAgain() {
    comeAgain(_ -> chance(60));
    any(offered)
        .ifPresent(
            event -> {
              var now = clock.instant();
              try {
                send(List.of(new SinkMessage(SinkMessage.EVERY, 0, now, event)), Duration.ZERO);
              } catch (SdkClientException | Crash e) {
                // The command failed, whether the queue has it or not.
              }
            });
    if (!records.isEmpty()) {
      int from = random.nextInt(records.size());
      var some = records.subList(from, Math.min(records.size(), from + RECORDS_AGAIN));
      var _ = handleRecords(some.stream().filter(this::isWanted).toList());
    }
  }

  private void redrive() {
    redriven += redrive(message -> bug == Bug.DEAD_LETTERS_DROPPED ? List.of() : List.of(message));
  }

  /** Handles everything that was done so far, but for what waits for a disabled webhook. */
  private void drain() {
    boolean isAny = true;
    while (isAny) {
      isAny = deliver();
    }
    while (areWaiting(sink -> !isPaused(sink))) {
      clock.advance(Duration.ofSeconds(30));
      invoke();
    }
  }

  private boolean isPaused(String sink) {
    return present().stream().anyMatch(one -> sink.endsWith(one.id) && !one.isEnabled);
  }

  private void end(Person author) {
    receivers.setUp();
    present().stream().filter(one -> !one.isEnabled).forEach(one -> enable(one, true));
    clock.advance(STALE);
    drain();
    receivers.goOn();
    faults.addAll(missing());
    for (int i = 0; i < REDRIVES && !givenUp().isEmpty(); i++) {
      redrive();
      drain();
    }
    faults.addAll(givenUp());
    receivers.goOn();
    isSteady = true;
    receivers.becomeSteady();
    clock.advance(Duration.ofMinutes(1));
    var last = author.posts("the last post");
    did(last, EventType.POST_CREATED);
    drain();
    clock.advance(Duration.ofMinutes(1));
    invoke();
    present().forEach(webhook -> faults.addAll(notListed(webhook, "post:" + last.postId())));
  }

  /** Events that a webhook should have, and that are no dead letters either. */
  private List<String> missing() {
    var missing = new ArrayList<String>();
    var taken = new HashSet<List<Object>>();
    for (var call : receivers.taken()) {
      var event = call.event();
      taken.add(List.of(call.path(), event.entity(), event.type()));
    }
    for (var webhook : present()) {
      for (var event : handled) {
        boolean isDue =
            webhook.types.contains(event.type())
                && webhook.isEnabledAllTheTime(event.from().minus(STALE), event.to());
        if (isDue
            && !taken.contains(List.of(webhook.id, event.entity(), event.type()))
            && !isGivenUp(message -> isFor(message, webhook, event))) {
          missing.add("%s missed %s".formatted(webhook.id, event));
        }
      }
    }
    return missing;
  }

  private static boolean isFor(SinkMessage message, KnownWebhook webhook, Expected event) {
    return message.sink().endsWith(webhook.id)
        && message.event().type() == event.type()
        && message.event().entity().equals(event.entity());
  }

  /** What the row of deliveries has that was no call, and the last call if it is absent. */
  private List<String> notListed(KnownWebhook webhook, String lastEntity) {
    var wrong = new ArrayList<String>();
    var made = new HashSet<List<Object>>();
    var ids = new HashSet<String>();
    for (var call : receivers.calls()) {
      if (call.path().equals(webhook.id)) {
        made.add(List.of(call.id(), call.isConfirmed()));
        if (call.event().entity().equals(lastEntity)) {
          ids.add(call.id());
        }
      }
    }
    var listed = deliveries(webhook.id).orElseThrow().deliveries();
    for (var delivery : listed) {
      if (!made.contains(List.of(delivery.eventId(), delivery.delivered()))) {
        wrong.add("%s lists %s, which was never so".formatted(webhook.id, delivery));
      }
    }
    if (listed.stream().noneMatch(one -> one.delivered() && ids.contains(one.eventId()))) {
      wrong.add("%s does not list its last call".formatted(webhook.id));
    }
    return wrong;
  }

  private List<String> violations() {
    var violations = new ArrayList<>(faults);
    if (isDownForDays && redriven == 0) {
      violations.add("No message was redriven");
    }
    violations.addAll(missing());
    var idsOfEach = new HashMap<List<Object>, Set<String>>();
    for (var call : receivers.calls()) {
      var event = call.event();
      var ids =
          idsOfEach.computeIfAbsent(List.of(event.entity(), event.type()), _ -> new HashSet<>());
      ids.add(call.id());
      var webhook = webhooks.get(call.path());
      if (webhook == null) {
        violations.add(call.path() + " is no webhook, and was called");
      } else if (!webhook.types.contains(event.type())) {
        violations.add("%s got %s, which it does not want".formatted(webhook.id, event));
      } else if (call.at().minus(STALE).isAfter(webhook.deletedAt)) {
        violations.add("%s was called after its end".formatted(webhook.id));
      } else if (!call.id().equals(event.id()) || !webhook.hasSigned(call, STALE)) {
        violations.add("%s got a call without its signatures: %s".formatted(webhook.id, call));
      }
    }
    idsOfEach.forEach(
        (event, ids) -> {
          if (ids.size() > 1) {
            violations.add("%s has the ids %s".formatted(event, ids));
          }
        });
    if (stored.registry().number() != present().size()) {
      violations.add("The registry has %d webhooks".formatted(stored.registry().number()));
    }
    present().forEach(webhook -> stored.delete(webhook.id));
    return violations;
  }
}
