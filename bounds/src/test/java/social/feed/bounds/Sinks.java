package social.feed.bounds;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.event.webhook.WebhookCalls;
import social.feed.streams.change.Change;
import social.feed.streams.effect.PublishHandler.Publish;
import social.feed.streams.event.EventContent;
import social.feed.streams.event.EventPlan;
import social.feed.streams.sink.KafkaEvents;
import social.feed.streams.sink.PacedWebhookLog;
import social.feed.streams.sink.Publisher;
import social.feed.streams.sink.RegisteredWebhooks;
import social.feed.streams.sink.SearchSink;
import social.feed.streams.sink.SinkConsumer;
import social.feed.streams.sink.SinkMessage;
import social.feed.streams.sink.SinkQueue;
import social.feed.streams.sink.WebhookPublisher;
import social.feed.table.home.PullRegistry;
import social.feed.table.row.Follow;
import social.feed.table.row.Like;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/**
 * The way of an event from the stream to the systems outside, the log of a webhook, and the
 * registries that each process reads.
 */
final class Sinks {
  private static final Clock CLOCK = Clock.systemUTC();

  private Sinks() {}

  static List<Operation> operations() {
    var operations = new ArrayList<Operation>();
    // An operator's test of a webhook is a route, and no change of a row.
    var types =
        Arrays.stream(EventType.values()).filter(type -> type != EventType.WEBHOOK_TEST).toList();
    types.forEach(type -> operations.add(new Operation(of(type, "to the queue"), toQueue(type))));
    types.forEach(
        type -> operations.add(new Operation(of(type, "to Kafka or EventBridge"), toBus(type))));
    operations.add(new Operation(of(EventType.POST_CREATED, "to every sink"), Sinks::toEvery));
    operations.add(new Operation(of(EventType.POST_CREATED, "to the search"), Sinks::toSearch));
    operations.add(new Operation(of(EventType.POST_CREATED, "to a webhook"), Sinks::toWebhook));
    operations.add(
        new Operation(of(EventType.POST_CREATED, "to a sink that fails"), Sinks::toFailing));
    operations.add(new Operation("calls of a webhook, to its log", Sinks::toLog));
    operations.add(
        new Operation(
            "registry of webhooks, read by a process",
            world -> {
              var event = event(world, EventType.POST_CREATED);
              return () -> world.registered().wanting(event);
            }));
    operations.add(
        new Operation("registry of webhooks, while nothing changes", Sinks::sameWebhooks));
    operations.add(
        new Operation(
            "registry of celebrities, read by a process",
            world -> {
              var registry = new PullRegistry(world.table().table());
              return () -> {
                registry.revision();
                registry.authors();
              };
            }));
    operations.add(
        new Operation(
            "registry of celebrities, while nothing changes",
            world -> new PullRegistry(world.table().table())::revision));
    return operations;
  }

  private static String of(EventType type, String where) {
    return "event %s, %s".formatted(type.eventName(), where);
  }

  /** What the effects lane does with the event. */
  private static Operation.Preparation toQueue(EventType type) {
    return world -> {
      var effect = new Publish(event(world, type));
      return () -> world.handlers().apply(List.of(effect));
    };
  }

  /** Both read no row themselves: an event is one record, or one entry. */
  private static Operation.Preparation toBus(EventType type) {
    return world -> {
      var message = message(KafkaEvents.NAME, event(world, type));
      var consumer =
          consumer(
              world,
              _ -> Optional.of(_ -> world.sent(1)),
              (_, _) -> {
                throw new AssertionError("The event came back");
              });
      return () -> consumer.handle(message);
    };
  }

  /** A message of a redrive becomes one for each sink. */
  private static Runnable toEvery(MeasuredWorld world) {
    var message = message(SinkMessage.EVERY, event(world, EventType.POST_CREATED));
    var consumer = consumer(world, _ -> Optional.empty(), world.queue());
    return () -> consumer.handle(message);
  }

  private static Runnable toSearch(MeasuredWorld world) {
    var message = message(SearchSink.NAME, event(world, EventType.POST_CREATED));
    var search = new SearchSink(world.search());
    var consumer =
        consumer(
            world,
            _ ->
                Optional.of(
                    event -> {
                      search.publish(event);
                      world.sent(1);
                    }),
            world.queue());
    return () -> consumer.handle(message);
  }

  /** What an invocation of the function does, with the call in the log. */
  private static Runnable toWebhook(MeasuredWorld world) {
    var event = event(world, EventType.POST_CREATED);
    var message = message("webhook-" + world.knownWebhook(), event);
    var calls = new WebhookCalls(true, CLOCK);
    var log = new PacedWebhookLog(world.history());
    var consumer =
        consumer(
            world,
            sink ->
                world
                    .registered()
                    .publisher(
                        sink, webhook -> WebhookPublisher.of(calls, webhook, log::add, CLOCK)),
            (_, _) -> {
              throw new AssertionError("The webhook was not reached");
            });
    return () -> {
      try (calls) {
        consumer.handle(message);
        log.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /** The event goes back to the queue. */
  private static Runnable toFailing(MeasuredWorld world) {
    var message = message(KafkaEvents.NAME, event(world, EventType.POST_CREATED));
    var consumer =
        consumer(
            world,
            _ ->
                Optional.of(
                    _ -> {
                      throw new IllegalStateException("no broker");
                    }),
            world.queue());
    return () -> consumer.handle(message);
  }

  /** The log has as many calls as the knob says, and gets as many more. */
  private static Runnable toLog(MeasuredWorld world) {
    var id = world.webhook("http://127.0.0.1:9/");
    var log = new PacedWebhookLog(world.history());
    world.calls().forEach(call -> log.add(id, call));
    return log::flush;
  }

  /** A process that has read the registry asks for it again after a second. */
  private static Runnable sameWebhooks(MeasuredWorld world) {
    var nanos = new AtomicLong();
    var registered = new RegisteredWebhooks(world.webhooks(), nanos::get);
    var event = event(world, EventType.POST_CREATED);
    registered.wanting(event);
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    return () -> registered.wanting(event);
  }

  private static SinkMessage message(String sink, DomainEvent event) {
    return new SinkMessage(sink, 0, Instant.now(), event);
  }

  private static SinkConsumer consumer(
      MeasuredWorld world, Function<String, Optional<Publisher>> publishers, SinkQueue queue) {
    return new SinkConsumer(
        publishers,
        world::wanting,
        new EventContent(world.table().table(), CLOCK),
        queue,
        (_, reason) -> {
          throw new AssertionError(reason);
        },
        CLOCK);
  }

  /** Returns the event of a change, whose row is written. */
  private static DomainEvent event(MeasuredWorld world, EventType type) {
    var record = new DynamodbStreamRecord();
    record.setDynamodb(new StreamRecord().withSequenceNumber(Population.sequence(1)));
    return EventPlan.events(change(world, type), record).stream()
        .filter(event -> event.type() == type)
        .findFirst()
        .orElseThrow();
  }

  private static Change change(MeasuredWorld world, EventType type) {
    var population = world.population();
    var post = population.freshPost(Visibility.PUBLIC);
    return switch (type) {
      case POST_CREATED -> new Change.Inserted(stored(population, post));
      case POST_VISIBILITY_CHANGED ->
          new Change.Modified(Effects.changed(post, Visibility.PRIVATE), stored(population, post));
      case POST_DELETED -> new Change.Removed(post);
      case COMMENT_CREATED -> new Change.Inserted(stored(population, comment(population)));
      case COMMENT_DELETED -> new Change.Removed(comment(population));
      case LIKE_CREATED -> new Change.Inserted(like(population));
      case LIKE_DELETED -> new Change.Removed(like(population));
      case FOLLOW_CREATED -> new Change.Inserted(follow(population));
      case FOLLOW_DELETED -> new Change.Removed(follow(population));
      case ACCOUNT_REGISTERED -> new Change.Inserted(user(population.account(), population));
      case ACCOUNT_CHANGED -> {
        var id = population.account();
        yield new Change.Modified(
            User.registered(id, "former", "A name", null, population.now), user(id, population));
      }
      case ACCOUNT_ERASED -> new Change.Removed(user(population.unregistered(), population));
      case ACCOUNT_SUSPICIOUS -> {
        var suspect = Routes.suspect(world, Population.SUBJECT);
        population.putForOne(List.of(suspect));
        yield new Change.Inserted(suspect);
      }
      case CELEBRITY_CHANGED -> {
        var sample = Effects.celebrity(population);
        yield new Change.Modified(sample.before(), sample.after());
      }
      case NOTIFICATION_CREATED -> new Change.Inserted(population.unread(0));
      case WEBHOOK_TEST -> throw new AssertionError("No change of a row is a test");
    };
  }

  private static Row stored(Population population, Row row) {
    population.putForOne(List.of(row));
    return row;
  }

  private static Row comment(Population population) {
    return population.comment(population.subjectsPost(), population.account(), population.now);
  }

  private static Like like(Population population) {
    var post = population.subjectsPost();
    return new Like(post.postId(), population.account(), post.authorId(), population.now);
  }

  private static Follow follow(Population population) {
    return Follow.of(population.account(), Population.SUBJECT, population.now);
  }

  private static User user(String id, Population population) {
    return User.registered(id, id, "A name", null, population.now);
  }
}
