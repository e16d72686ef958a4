package social.feed.streams.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import io.micronaut.context.ApplicationContextBuilder;
import io.micronaut.function.executor.FunctionInitializer;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.streams.event.EventContent;
import social.feed.streams.sink.Publisher;
import social.feed.streams.sink.SinkConsumer;
import social.feed.streams.sink.SinkConsumer.Postponed;
import social.feed.streams.sink.SinkMessage;
import social.feed.streams.sink.SqsSinkDeadLetters;
import social.feed.streams.sink.SqsSinkQueue;
import social.feed.table.kernel.store.CallDeadline;
import social.feed.table.kernel.store.Table;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The Lambda function that publishes the messages of the queue of sinks. The messages of a batch
 * are handled at once, so that one that hangs does not delay the others. What could not be handled
 * comes again: the response names it.
 */
public class SinkFunction extends FunctionInitializer
    implements RequestHandler<SQSEvent, SQSBatchResponse> {
  private static final Logger LOG = LoggerFactory.getLogger(SinkFunction.class);

  @Inject private Table table;
  @Inject private CallDeadline deadline;
  @Inject private SqsClient queues;
  @Inject private MultiplexerSettings settings;
  @Inject private SinkSettings sinks;
  @Inject private SearchSettings search;

  private final Publishers publishers;
  private final Optional<WebhookSinks> webhooks;
  private final SinkConsumer consumer;

  /**
   * Creates the function as Lambda does, with settings from the environment.
   *
   * @throws IllegalArgumentException for a setting that cannot be used
   */
  public SinkFunction() {
    var all = FunctionSinks.of(sinks, search, table);
    this.publishers = new Publishers(sinks, search);
    this.webhooks = all.webhooks().map(registered -> new WebhookSinks(registered, table));
    this.consumer =
        new SinkConsumer(
            this::publisher,
            all::wanting,
            new EventContent(table, Clock.systemUTC()),
            new SqsSinkQueue(queues, sinks.requiredQueueUrl()),
            new SqsSinkDeadLetters(queues, settings.deadLetterQueueUrl()),
            Clock.systemUTC());
  }

  @Override
  protected ApplicationContextBuilder newApplicationContextBuilder() {
    return new FunctionContextBuilder();
  }

  /**
   * Handles a batch, and stops before the invocation ends. A message that is none of ours stays in
   * the queue, which moves it to the dead letters after some attempts.
   */
  @Override
  public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
    return deadline.run(context::getRemainingTimeInMillis, () -> handle(event));
  }

  private SQSBatchResponse handle(SQSEvent event) {
    List<SQSMessage> messages = event.getRecords() == null ? List.of() : event.getRecords();
    Set<String> handled = ConcurrentHashMap.newKeySet();
    Map<String, Postponed> postponed = new ConcurrentHashMap<>();
    // Closed when each message is done.
    try (var each = Executors.newVirtualThreadPerTaskExecutor()) {
      messages.forEach(message -> each.execute(() -> handle(message, handled, postponed)));
    }
    handled.addAll(consumer.putBack(postponed));
    // Last: a slow table must not use up the time in which messages go back.
    webhooks.ifPresent(WebhookSinks::flush);
    // A message comes again unless it was handled, whatever ended its thread.
    var failures =
        messages.stream()
            .map(SQSMessage::getMessageId)
            .filter(id -> !handled.contains(id))
            .map(BatchItemFailure::new)
            .toList();
    return SQSBatchResponse.builder().withBatchItemFailures(failures).build();
  }

  @Override
  public void close() {
    publishers.close();
    webhooks.ifPresent(WebhookSinks::close);
    super.close();
  }

  private Optional<Publisher> publisher(String sink) {
    return publishers.of(sink).or(() -> webhooks.flatMap(registered -> registered.of(sink)));
  }

  private void handle(SQSMessage message, Set<String> handled, Map<String, Postponed> postponed) {
    try {
      var id = message.getMessageId();
      consumer
          .tried(SinkMessage.read(message.getBody()))
          .ifPresentOrElse(left -> postponed.put(id, left), () -> handled.add(id));
    } catch (RuntimeException | Error e) {
      LOG.warn("Message {} for sinks comes again", message.getMessageId(), e);
    }
  }
}
