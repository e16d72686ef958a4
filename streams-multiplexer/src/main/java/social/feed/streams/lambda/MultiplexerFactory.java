package social.feed.streams.lambda;

import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import social.feed.search.opensearch.OpenSearchIndex;
import social.feed.streams.EffectHandlers;
import social.feed.streams.Multiplexer;
import social.feed.streams.celebrity.CelebrityEvents;
import social.feed.streams.celebrity.SqsCelebrityEvents;
import social.feed.streams.deadletter.DeadLetters;
import social.feed.streams.deadletter.SqsDeadLetters;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.plan.Plan;
import social.feed.streams.sink.EventOutbox;
import social.feed.streams.sink.IndexTraces;
import social.feed.streams.sink.SqsSinkQueue;
import social.feed.table.erasure.ErasureTraces;
import social.feed.table.kernel.store.CallDeadline;
import social.feed.table.kernel.store.CallTimeouts;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.trace.TraceExporters;
import social.feed.table.kernel.trace.Tracing;
import social.feed.table.media.MediaBucket;
import social.feed.table.media.MediaStore;
import social.feed.table.user.CelebrityRule;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Creates the multiplexer with the clients of the function. Endpoint, region and credentials come
 * from the environment, by the SDK's own names such as {@code AWS_ENDPOINT_URL}.
 */
@Factory
@Requires(property = "feed.multiplexer.dead-letter-queue-url")
final class MultiplexerFactory {
  /**
   * Kept at the end of an invocation, or a half of a short one. It is as long as a call to the
   * table or a queue, and what a handler asks of another system before its next such call: some 20
   * seconds.
   */
  private static final int RESERVE_MS = 60_000;

  private static final int PART = 2;

  /** With all attempts. */
  private static final Duration CALL = Duration.ofSeconds(40);

  /** Three attempts of a removal hold up the other records of its batch for no longer than 9 s. */
  private static final Duration CALL_OF_BUCKET = Duration.ofSeconds(3);

  /** Sixteen effects at once, each with sixteen calls at once. The SDK's default is 50. */
  private static final int CONNECTIONS_MAX = 256;

  /** Secondary, since the API's table takes precedence when both are in one process. */
  @Singleton
  @Secondary
  Table table(MultiplexerSettings settings, CallDeadline deadline, Optional<Tracing> tracing) {
    var client =
        DynamoDbClient.builder()
            .httpClientBuilder(Apache5HttpClient.builder().maxConnections(CONNECTIONS_MAX))
            .overrideConfiguration(
                o -> CallTimeouts.limit(o, CALL).addExecutionInterceptor(deadline));
    Table.metered(Table.retrying(client));
    tracing.ifPresent(
        on ->
            client.overrideConfiguration(
                client.overrideConfiguration().toBuilder()
                    .addExecutionInterceptor(Table.traced(on))
                    .build()));
    return new Table(client.build(), settings.table(), Retry.standard());
  }

  /** Secondary like the table. There is none where it is off. */
  @Singleton
  @Secondary
  @Bean(preDestroy = "close")
  @Requires(
      property = TracingSettings.EXPORTER,
      notEquals = TracingSettings.OFF,
      defaultValue = TracingSettings.OFF)
  Tracing tracing(TracingSettings settings) {
    return TraceExporters.tracing(settings.exporter(), settings.endpoint(), "feed-multiplexer")
        .orElseThrow();
  }

  @Singleton
  CallDeadline deadline() {
    return new CallDeadline(time -> Math.min(RESERVE_MS, time / PART));
  }

  @Singleton
  SqsClient queues(CallDeadline deadline) {
    return SqsClient.builder()
        .httpClientBuilder(Apache5HttpClient.builder())
        .overrideConfiguration(o -> CallTimeouts.limit(o, CALL).addExecutionInterceptor(deadline))
        .build();
  }

  /** Creates the client with the first dead letter; most functions send none. */
  @Singleton
  DeadLetters deadLetters(
      BeanProvider<SqsClient> queues, MultiplexerSettings settings, InvocationLog log) {
    return log.counted(
        deadLetter ->
            new SqsDeadLetters(queues.get(), settings.deadLetterQueueUrl()).send(deadLetter));
  }

  /**
   * Created at the start, so that a wrong setting fails it. Secondary like the table: the API's
   * bucket is the same one.
   */
  @Context
  @Secondary
  @Bean(preDestroy = "close")
  @Requires(property = MediaSettings.BUCKET)
  MediaBucket media(MediaSettings settings) {
    return new MediaBucket(
        settings.of(CALL_OF_BUCKET), DefaultCredentialsProvider.builder().build());
  }

  /**
   * Opened at the start, without a request, so that a snapshot has it. An erasure asks it at its
   * end.
   */
  @Singleton
  @Bean(preDestroy = "close")
  @Requires(property = SearchSettings.URL)
  OpenSearchIndex index(SearchSettings settings) {
    return OpenSearchIndex.later(
        settings.address().orElseThrow(),
        OpenSearchIndex.NAME,
        InstantSource.system(),
        OpenSearchIndex.LONGEST_SEARCH);
  }

  @Singleton
  CelebrityEvents celebrityEvents(BeanProvider<SqsClient> queues, MultiplexerSettings settings) {
    return event -> new SqsCelebrityEvents(queues.get(), settings.eventQueueUrl()).publish(event);
  }

  @Singleton
  InvocationLog invocationLog(MultiplexerSettings settings) {
    return new InvocationLog(settings.table(), Clock.systemUTC());
  }

  @Singleton
  Priming priming(
      Table table,
      MultiplexerSettings settings,
      EffectHandlers handlers,
      BeanProvider<SqsClient> queues) {
    return new Priming(
        table,
        settings,
        () -> {
          var _ = queues.get();
          handlers.createAll();
        });
  }

  @Singleton
  FunctionSinks sinks(SinkSettings sinks, SearchSettings search, Table table) {
    return FunctionSinks.of(sinks, search, table);
  }

  @Singleton
  EffectHandlers handlers(
      Table table,
      CelebrityEvents events,
      MultiplexerSettings settings,
      Optional<MediaBucket> media,
      FunctionSinks all,
      SinkSettings sinks,
      Optional<OpenSearchIndex> index,
      InvocationLog log,
      BeanProvider<SqsClient> queues) {
    var outbox = outbox(all, sinks, queues);
    return new EffectHandlers(
        table,
        Clock.systemUTC(),
        EffectSettings.of(settings.backfillNewest(), BatchSizes.STANDARD, settings.sweeping())
            .withEvents(events)
            .withMedia(media.<MediaStore>map(bucket -> bucket).orElse(MediaStore.NONE))
            .withOutbox(outbox)
            .withStuckRemovals(_ -> log.countStuckRemoval())
            .withTraces(
                index
                    .<ErasureTraces>map(there -> new IndexTraces(there, outbox, Clock.systemUTC()))
                    .orElse(ErasureTraces.NONE)));
  }

  @Singleton
  Multiplexer multiplexer(
      Table table,
      DeadLetters deadLetters,
      MultiplexerSettings settings,
      EffectHandlers handlers,
      FunctionSinks sinks,
      Optional<Tracing> tracing) {
    var plan =
        new Plan(settings.notificationsLive(), settings.trendHalfLife()).with(settings.suspicion());
    return new Multiplexer(
        table,
        sinks.exist() ? plan.withEventsWhile(sinks::areWanted) : plan,
        handlers,
        new CelebrityRule(settings.celebrityThreshold()),
        deadLetters,
        Clock.systemUTC(),
        tracing);
  }

  /** Creates the client with the first event; a function without sinks has none. */
  private static EventOutbox outbox(
      FunctionSinks all, SinkSettings sinks, BeanProvider<SqsClient> queues) {
    if (!all.exist()) {
      return EventOutbox.NONE;
    }
    var url = sinks.requiredQueueUrl();
    return new EventOutbox(
        (messages, delay) -> new SqsSinkQueue(queues.get(), url).send(messages, delay),
        all::wanting,
        Clock.systemUTC());
  }
}
