package social.feed.simulation;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.streams.LaneFilter;
import social.feed.streams.Multiplexer;
import social.feed.streams.plan.Lane;
import social.feed.streams.sink.Publisher;
import social.feed.streams.sink.RegisteredWebhooks;
import social.feed.streams.sink.SinkConsumer;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Post;
import social.feed.table.row.Webhook;
import social.feed.table.webhook.Webhooks;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.simulation.StreamedTable;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * A random history in which webhooks are created, changed and deleted while posts are written. The
 * lane and the consumer know the webhooks by copies of their own, and sometimes cannot read them. A
 * webhook must get each event that it wanted all the time from a second before the lane handled the
 * change, and none that it did not want for a second. A webhook that is disabled and enabled again
 * must get what waited for it.
 */
final class WebhookChanges extends SinkHistory {
  private static final int ACTIONS = 150;
  private static final Instant START = Instant.parse("2027-03-01T12:00:00Z");

  /** How old a copy may be. The clock goes on by some milliseconds while one is made. */
  private static final Duration STALE = Duration.ofMillis(1_050);

  private static final List<EventType> TYPES =
      List.of(EventType.POST_CREATED, EventType.POST_DELETED);

  /** What is planted, none for the sound system. */
  enum Bug {
    NONE,
    /** The lane reads the webhooks once. */
    LANE_NEVER_READS_AGAIN,
    /** The consumer reads the webhooks once. */
    CONSUMER_NEVER_READS_AGAIN,
    /** A change does not change the version of the registry. */
    CHANGE_WITHOUT_A_VERSION,
    /** The wanted types are lost when a webhook is written. */
    TYPES_NOT_STORED,
    /** A registry that cannot be read counts as one without webhooks. */
    OFF_WHILE_UNREADABLE,
    /** What waits for a webhook is dropped while it is disabled. */
    DISABLED_DROPS
  }

  /**
   * What a webhook wants from a time on.
   *
   * @param isPaused whether it is disabled: it gets no new events, and those that wait stay
   */
  private record Wish(Instant from, List<EventType> types, boolean isPaused) {}

  /** An event of a post, and the time in which the lane handled it. */
  private record Expected(String entity, EventType type, Instant from, Instant to) {}

  private record Received(String webhookId, DomainEvent event, Instant at) {}

  private final Bug bug;
  private final Webhooks stored;
  private final RegisteredWebhooks ofLane;
  private final RegisteredWebhooks ofConsumer;
  private final Multiplexer multiplexer;
  private final SinkConsumer consumer;
  private final List<Received> received = new ArrayList<>();
  private final Map<String, List<Wish>> wishes = new LinkedHashMap<>();
  private final List<Expected> undelivered = new ArrayList<>();
  private final Map<Expected, Instant> drained = new LinkedHashMap<>();
  private final List<Post> posts = new ArrayList<>();

  WebhookChanges(StreamedTable table, long seed, Bug bug) {
    super(table, seed, START);
    this.bug = bug;
    this.stored = new Webhooks(sound, MANY);
    this.ofLane = copy(bug == Bug.LANE_NEVER_READS_AGAIN);
    this.ofConsumer = copy(bug == Bug.CONSUMER_NEVER_READS_AGAIN);
    this.multiplexer =
        multiplexer(sound, PLAN.withEventsWhile(this::areWanted), outbox(ofLane::wanting));
    this.consumer =
        consumer(
            sink -> ofConsumer.publisher(sink, this::publisher).map(this::planted),
            ofConsumer::wanting);
  }

  /** The webhooks as a process knows them, over a table that it sometimes cannot read. */
  private RegisteredWebhooks copy(boolean stands) {
    Table unsteady =
        table.over(
            new Wire() {
              @Override
              public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> real) {
                if (chance(10)) {
                  throw SdkClientException.create("The table is away");
                }
                return real.apply(request);
              }
            });
    return new RegisteredWebhooks(
        new Webhooks(unsteady, MANY),
        stands ? () -> 0 : () -> Duration.between(START, clock.instant()).toNanos());
  }

  private boolean areWanted() {
    if (bug != Bug.OFF_WHILE_UNREADABLE) {
      return ofLane.isInUse();
    }
    try {
      return TYPES.stream().anyMatch(type -> !ofLane.wanting(sample(type)).isEmpty());
    } catch (SdkClientException e) {
      return false;
    }
  }

  private DomainEvent sample(EventType type) {
    var data = new TreeMap<String, Object>(Map.of("post_id", "x", "author_id", "x"));
    return new DomainEvent(type, START, "post:x", "0", "x", data);
  }

  @Override
  List<String> run() {
    var author = world.user("author");
    for (int i = 0; i < ACTIONS; i++) {
      act(author);
      clock.advance(Duration.ofMillis(random.nextInt(900)));
      if (chance(3)) {
        deliver();
      }
      if (chance(3)) {
        consume(consumer);
      }
      if (chance(20)) {
        drain();
      }
    }
    drain();
    wishes.keySet().forEach(this::enable);
    clock.advance(STALE);
    drain();
    wishes.keySet().forEach(stored::delete);
    return violations();
  }

  private Publisher planted(Publisher publisher) {
    return bug == Bug.DISABLED_DROPS && publisher.isPaused() ? _ -> {} : publisher;
  }

  /** Enables a webhook with what it wanted last, so that it gets what waits. */
  private void enable(String id) {
    var last = wishes.getOrDefault(id, List.of()).getLast();
    if (last.isPaused()) {
      stored.change(id, now -> webhook(id, last.types(), true, now.version()));
      wish(id, clock.instant(), last.types(), false);
    }
  }

  private void act(Person author) {
    switch (random.nextInt(10)) {
      case 0 -> create();
      case 1 -> change();
      case 2 -> {
        if (chance(2)) {
          any(wishes.keySet()).ifPresent(this::delete);
        }
      }
      case 3, 4 -> deleteAny(posts).ifPresent(post -> did(post, EventType.POST_DELETED));
      default -> {
        var post = author.posts("post");
        posts.add(post);
        did(post, EventType.POST_CREATED);
      }
    }
  }

  private void did(Post post, EventType type) {
    undelivered.add(new Expected("post:" + post.postId(), type, Instant.EPOCH, Instant.EPOCH));
  }

  private List<EventType> types() {
    return switch (random.nextInt(3)) {
      case 0 -> TYPES;
      case 1 -> List.of(EventType.POST_CREATED);
      default -> List.of(EventType.POST_DELETED);
    };
  }

  private void wish(String webhookId, Instant from, List<EventType> types, boolean isPaused) {
    wishes.computeIfAbsent(webhookId, _ -> new ArrayList<>()).add(new Wish(from, types, isPaused));
  }

  private Webhook webhook(String id, List<EventType> types, boolean isEnabled, long version) {
    var names = types.stream().map(EventType::eventName).toList();
    return new Webhook(
        id,
        "https://example.test",
        bug == Bug.TYPES_NOT_STORED ? List.of() : names,
        null,
        isEnabled,
        "whsec_x",
        null,
        null,
        null,
        START,
        version);
  }

  private void create() {
    var id = TimeOrderedId.random(clock.instant(), random);
    var types = types();
    stored.create(webhook(id, types, true, 1));
    wish(id, clock.instant(), types, false);
  }

  private void change() {
    any(wishes.keySet())
        .ifPresent(
            id -> {
              boolean isEnabled = !chance(3);
              var types = types();
              if (bug == Bug.CHANGE_WITHOUT_A_VERSION) {
                stored
                    .get(id)
                    .ifPresent(
                        now ->
                            table
                                .over(Wire.SOUND)
                                .put(
                                    webhook(id, types, isEnabled, now.version() + 1),
                                    Condition.present()));
              } else {
                stored.change(id, now -> webhook(id, types, isEnabled, now.version()));
              }
              if (stored.get(id).isPresent()) {
                wish(id, clock.instant(), types, !isEnabled);
              }
            });
  }

  private void delete(String webhookId) {
    stored.delete(webhookId);
    wish(webhookId, clock.instant(), List.of(), false);
  }

  @Override
  boolean isWanted(DynamodbStreamRecord record) {
    return LaneFilter.accepts(Lane.EFFECTS, record) || (super.isWanted(record) && areWanted());
  }

  /** Delivers the stream until the lane has handled it. */
  private void deliver() {
    var from = clock.instant();
    deliver(multiplexer);
    var to = clock.instant();
    undelivered.forEach(
        one -> drained.put(new Expected(one.entity(), one.type(), from, to), Instant.MAX));
    undelivered.clear();
  }

  /** Handles everything that was done so far, but for what waits for a disabled webhook. */
  private void drain() {
    deliver();
    while (areWaiting(sink -> !isPaused(sink))) {
      clock.advance(Duration.ofSeconds(10));
      consume(consumer);
    }
    var end = clock.instant();
    drained.replaceAll((_, before) -> before.equals(Instant.MAX) ? end : before);
  }

  private boolean isPaused(String sink) {
    return wishes.entrySet().stream()
        .anyMatch(
            webhook -> sink.endsWith(webhook.getKey()) && webhook.getValue().getLast().isPaused());
  }

  private Publisher publisher(Webhook webhook) {
    return event -> {
      if (chance(10)) {
        throw new IllegalStateException("The webhook refused it");
      }
      received.add(new Received(webhook.webhookId(), event, clock.instant()));
    };
  }

  /**
   * Returns whether a webhook wanted a type at each moment, or at any, from one time to another.
   */
  private boolean wanted(
      String webhookId, EventType type, Instant from, Instant to, boolean throughout) {
    var all = wishes.getOrDefault(webhookId, List.of());
    boolean before = false;
    boolean within = false;
    boolean always = true;
    for (var wish : all) {
      boolean wants = wish.types().contains(type) && !wish.isPaused();
      if (!wish.from().isAfter(from)) {
        before = wants;
      } else if (!wish.from().isAfter(to)) {
        within |= wants;
        always &= wants;
      }
    }
    return throughout ? before && always : before || within;
  }

  /**
   * Returns whether a webhook loses no message of a type from one time to another. One that is
   * disabled meanwhile keeps the messages that it wants until it is enabled, which it is at last.
   */
  private boolean keeps(String webhookId, EventType type, Instant from, Instant to) {
    var all = wishes.getOrDefault(webhookId, List.of());
    var known = all.stream().takeWhile(wish -> !wish.from().isAfter(from)).toList();
    var later = all.subList(Math.max(0, known.size() - 1), all.size());
    var within = later.stream().takeWhile(wish -> !wish.from().isAfter(to)).toList();
    boolean isPaused = within.stream().anyMatch(Wish::isPaused);
    return (isPaused ? later : within).stream().allMatch(wish -> wish.types().contains(type));
  }

  private List<String> violations() {
    var violations = new ArrayList<>(givenUp());
    drained.forEach(
        (event, end) -> {
          for (var id : wishes.keySet()) {
            boolean came =
                received.stream()
                    .anyMatch(
                        one ->
                            one.webhookId().equals(id)
                                && one.event().type() == event.type()
                                && one.event().entity().equals(event.entity()));
            var from = event.from().minus(STALE);
            if (!came
                && wanted(id, event.type(), from, event.to(), true)
                && keeps(id, event.type(), event.to(), end)) {
              violations.add("%s missed %s".formatted(id, event));
            }
            if (came && !wanted(id, event.type(), from, event.to(), false)) {
              violations.add("%s got %s, which it did not want".formatted(id, event));
            }
          }
        });
    for (var one : received) {
      if (!wanted(one.webhookId(), one.event().type(), one.at().minus(STALE), one.at(), false)) {
        violations.add("%s was called after its end: %s".formatted(one.webhookId(), one.event()));
      }
    }
    return violations;
  }
}
