package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.engine.LocalQueue;
import social.feed.streams.RedriveOutcome.Applied;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.SqsDeadLetters;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.trace.StoredContext;
import social.feed.table.kernel.trace.Tracing;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A trace begins with a request, passes through the table, and has the effects of both lanes. */
class ITTraces {
  private static final int CHUNK = 2;

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final Tracing tracing = new Tracing("test", SimpleSpanProcessor.create(spans));
  private StreamHarness harness;
  private DynamoDbClient client;

  /** Calls the table as the API does. */
  private SeedWorld api;

  private Person ann;

  @BeforeEach
  void start() {
    harness = StreamHarness.startTraced(CHUNK, Optional.of(tracing));
    client = harness.table.newClient(Table.traced(tracing));
    var own = harness.table.table();
    api = new SeedWorld(new Table(client, own.name(), own.retry()), harness.table.clock());
    ann = api.user("ann");
  }

  @AfterEach
  void stop() {
    client.close();
    harness.close();
    tracing.close();
  }

  /** Runs a request that was chosen for a trace, and returns the id of the trace. */
  private String traceOf(Runnable request) {
    return traced(
        () -> {
          request.run();
          return Span.current().getSpanContext().getTraceId();
        });
  }

  private <T> T traced(Supplier<T> request) {
    var context = tracing.begin(Context.root(), SpanKind.SERVER, "request");
    try (var _ = context.makeCurrent()) {
      return request.get();
    } finally {
      Span.fromContext(context).end();
    }
  }

  private List<SpanData> of(String trace, String name) {
    return spans.getFinishedSpanItems().stream()
        .filter(span -> span.getTraceId().equals(trace) && span.getName().equals(name))
        .toList();
  }

  private boolean isTraced(Key key) {
    return harness.table.table().get(key).orElseThrow().containsKey(StoredContext.ATTRIBUTE);
  }

  @Test
  void post_andItsEffectsInBothLanes_areOneTrace() {
    api.user("bob").follows(ann);
    harness.drain();
    var trace = traceOf(() -> ann.posts("hello #sea"));
    var post = harness.rows().stream().filter(Post.class::isInstance).findAny().orElseThrow();
    harness.drain();

    assertThat(isTraced(post.key())).isTrue();
    assertThat(of(trace, "effect WriteTags")).hasSize(1);
    var put = of(trace, "DynamoDB PutItem").getFirst();
    assertThat(put.getParentSpanId()).isEqualTo(of(trace, "request").getFirst().getSpanId());
    assertThat(of(trace, "effect FanOut").getFirst().getParentSpanId()).isEqualTo(put.getSpanId());
    assertThat(of(trace, "counts").getFirst().getParentSpanId()).isEqualTo(put.getSpanId());
    assertThat(of(trace, "DynamoDB BatchWriteItem"))
        .as("calls of the effects")
        .extracting(SpanData::getParentSpanId)
        .contains(of(trace, "effect FanOut").getFirst().getSpanId());
  }

  @Test
  void chunks_areInTheTraceOfTheirPost() {
    for (int number = 0; number < 2 * CHUNK + 1; number++) {
      api.user("follower" + number).follows(ann);
    }
    harness.drain();
    harness.pause();
    // A record may be under way when the source pauses. The other two are in one batch.
    ann.posts("first");
    var trace = traceOf(() -> ann.posts("hello"));
    var other = traceOf(() -> ann.posts("another"));
    harness.resume();
    harness.drain();

    var chunks =
        harness.rows().stream().filter(FanOutChunk.class::isInstance).map(it -> it.key()).toList();
    assertThat(chunks).filteredOn(this::isTraced).hasSize(chunks.size() / 3 * 2);
    var cut = of(trace, "effect FanOut").getFirst();
    var puts =
        of(trace, "DynamoDB PutItem").stream()
            .filter(put -> put.getParentSpanId().equals(cut.getSpanId()))
            .map(SpanData::getSpanId)
            .toList();
    assertThat(of(trace, "effect DeliverChunk"))
        .as("children of the calls that added the chunks")
        .isNotEmpty()
        .allMatch(chunk -> puts.contains(chunk.getParentSpanId()));
    assertThat(of(other, "effect DeliverChunk")).isNotEmpty();
  }

  @Test
  void update_isNotOfTheRequestThatPutTheItem() {
    var post = traced(() -> ann.posts("hello"));
    harness.drain();
    spans.reset();
    api.posts.changeVisibility(post.postId(), ann.id(), Visibility.PRIVATE);
    harness.drain();

    assertThat(isTraced(post.key())).as("the item keeps its context").isTrue();
    assertThat(spans.getFinishedSpanItems()).isEmpty();
  }

  @Test
  void requestWithoutTrace_leavesNothing() {
    var post = ann.posts("hello");
    harness.drain();

    assertThat(isTraced(post.key())).isFalse();
    assertThat(spans.getFinishedSpanItems()).isEmpty();
  }

  @Test
  void multiplexerWithoutTracing_appliesTheEffectsOfATracedRequest() {
    harness.close();
    harness = StreamHarness.startTraced(CHUNK, Optional.empty());
    var own = harness.table.table();
    client.close();
    client = harness.table.newClient(Table.traced(tracing));
    var other = new SeedWorld(new Table(client, own.name(), own.retry()), harness.table.clock());
    var author = other.user("author");
    var post = traced(() -> author.posts("hello"));
    spans.reset();
    harness.drain();

    assertThat(isTraced(post.key())).isTrue();
    assertThat(author.account().postsCount()).isEqualTo(1);
    assertThat(spans.getFinishedSpanItems()).isEmpty();
  }

  @Test
  void batch_continuesABoundedNumberOfTraces() {
    var records = IntStream.range(0, RecordTraces.RECORDS + 5).mapToObj(_ -> put(value())).toList();

    assertThat(new RecordTraces(Optional.of(tracing)).of(records)).hasSize(RecordTraces.RECORDS);
    assertThat(RecordTraces.NONE.of(records)).isEmpty();
  }

  /** A value of another version, or damaged, is ignored: the effects are more than their spans. */
  @Test
  void unreadableContext_isIgnored() {
    var other = value().put(0, (byte) 1);
    var records = List.of(put(other), put(ByteBuffer.allocate(3)), put(value()));

    assertThat(new RecordTraces(Optional.of(tracing)).of(records)).containsOnlyKeys(2);
  }

  private ByteBuffer value() {
    return traced(() -> StoredContext.of(Span.current().getSpanContext()));
  }

  private static DynamodbStreamRecord put(ByteBuffer context) {
    var record = new DynamodbStreamRecord();
    record.setDynamodb(
        new StreamRecord()
            .withNewImage(Map.of(StoredContext.ATTRIBUTE, new AttributeValue().withB(context))));
    return record;
  }

  /** A dead letter is JSON, in which bytes are text. */
  @Test
  void deadLetter_keepsTheContext_andIsRedriven() {
    harness.drain();
    harness.pause();
    var trace = traceOf(() -> ann.posts("hello"));
    harness.unset(User.key(ann.id()), "posts_count");
    harness.resume();
    harness.drain();
    harness.set(User.key(ann.id()), "posts_count", UncountedRecordScenario.ZERO);
    assertThat(harness.deadLetters).extracting(DeadLetter::handler).containsExactly("CountOnce");
    var sent = harness.deadLetters.getFirst();
    var received = throughAQueue(sent);

    assertThat(received.record()).isEqualTo(sent.record());
    assertThat(new RecordTraces(Optional.of(tracing)).of(List.of(received.record())).values())
        .extracting(SpanContext::getTraceId)
        .containsExactly(trace);
    assertThat(harness.redriveOver(harness.ofMultiplexer).apply(received))
        .isEqualTo(new Applied(List.of("CountOnce")));
    assertThat(ann.account().postsCount()).isEqualTo(1);
    spans.reset();
    harness.multiplexer.handle(Lane.EFFECTS, EntryContract.event(received.record()));
    assertThat(of(trace, "effect FanOut")).as("as a record of the stream").hasSize(1);
    assertThat(ann.account().postsCount()).isEqualTo(1);
  }

  private static DeadLetter throughAQueue(DeadLetter deadLetter) {
    try (var queue = LocalQueue.start();
        var sqs = queue.newClient()) {
      var url = queue.createQueue("dead-letters").toString();
      new SqsDeadLetters(sqs, url).send(deadLetter);
      var messages =
          sqs.receiveMessage(r -> r.queueUrl(url).messageAttributeNames("All")).messages();
      return SqsDeadLetters.read(messages.getFirst());
    }
  }

  @Test
  void spans_haveNoKeysAndNoIds() {
    var post = traced(() -> ann.posts("hello"));
    harness.drain();

    assertThat(spans.getFinishedSpanItems())
        .isNotEmpty()
        .allSatisfy(
            span ->
                assertThat(span.getName() + span.getAttributes() + span.getEvents())
                    .doesNotContain(ann.id(), post.postId(), "hello"));
  }
}
