package social.feed.table.kernel.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The spans of a process. A request is chosen before its span begins, so all spans are sampled and
 * a request that is not chosen has none. Where tracing is off, there is no object of this class,
 * and no class of OpenTelemetry is loaded. Thread-safe.
 */
public final class Tracing implements AutoCloseable {
  /** The calls of one span that have spans of their own. An export makes thousands of calls. */
  public static final int CALLS = 100;

  static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");

  private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("db.system.name");
  private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("db.operation.name");
  private static final ContextKey<AtomicInteger> CALLS_LEFT = ContextKey.named("calls left");

  /** The longest wait of {@link #flush}. */
  private static final int FLUSH_MS = 1_000;

  /** Whether some object was created, so that there may be a current span. */
  private static volatile boolean isUsed;

  /**
   * Instances of Lambda start from one snapshot. The JDK seeds this generator again in each of
   * them, and OpenTelemetry's own would give all of them the same ids.
   */
  private final SecureRandom random = new SecureRandom();

  private final SdkTracerProvider provider;

  /** The last flush, which may still wait for its answer. */
  private volatile CompletableResultCode sending = CompletableResultCode.ofSuccess();

  private final Tracer tracer;

  /**
   * @param service the name of this part of the platform
   * @param processor gets the ended spans
   */
  public Tracing(String service, SpanProcessor processor) {
    this.provider =
        SdkTracerProvider.builder()
            .setSampler(Sampler.alwaysOn())
            .setIdGenerator(new Ids())
            .setResource(Resource.create(Attributes.of(SERVICE, service)))
            .addSpanProcessor(processor)
            .build();
    this.tracer = provider.get("social.feed");
    isUsed = true;
  }

  /** Returns whether to begin a trace, with a probability. */
  public boolean isChosen(double ratio) {
    return ratio > 0 && random.nextDouble() < ratio;
  }

  /**
   * Begins a span and returns the context to bind. Its first {@value #CALLS} calls of the table
   * have spans.
   *
   * @param parent the root for the first span of a trace
   */
  public Context begin(Context parent, SpanKind kind, String name) {
    var span = tracer.spanBuilder(name).setParent(parent).setSpanKind(kind).startSpan();
    return parent.with(span).with(CALLS_LEFT, new AtomicInteger(CALLS));
  }

  /** Begins a span at a time in the past. No call is made in it. */
  public Span beganAt(Instant begin, Context parent, SpanKind kind, String name) {
    return tracer
        .spanBuilder(name)
        .setParent(parent)
        .setSpanKind(kind)
        .setStartTimestamp(begin)
        .startSpan();
  }

  /**
   * Begins the span of a call of the table in the current span. It has neither keys nor items,
   * which name members. Empty without a current span, and beyond its calls.
   */
  public Optional<Span> beginCall(String operation) {
    var left = Context.current().get(CALLS_LEFT);
    if (left == null || left.getAndDecrement() <= 0) {
      return Optional.empty();
    }
    return Optional.of(
        tracer
            .spanBuilder("DynamoDB " + operation)
            .setSpanKind(SpanKind.CLIENT)
            .setAttribute(SYSTEM, "aws.dynamodb")
            .setAttribute(OPERATION, operation)
            .startSpan());
  }

  /** Notes the class of a failure. Its message may name members. */
  public static void fail(Span span, Throwable failure) {
    span.setStatus(StatusCode.ERROR).setAttribute(ERROR, failure.getClass().getSimpleName());
  }

  /** Returns a computation for another thread, in the span of this one. */
  public static <T> Supplier<T> carried(Supplier<T> computation) {
    if (!isUsed) {
      return computation;
    }
    var context = Context.current();
    return () -> {
      try (var _ = context.makeCurrent()) {
        return computation.get();
      }
    };
  }

  /**
   * Sends what is not sent yet, as before an instance of Lambda stands still. Waits for an answer
   * at most a second, and not at all while an earlier one has not come.
   */
  public void flush() {
    if (sending.isDone()) {
      sending = provider.forceFlush().join(FLUSH_MS, TimeUnit.MILLISECONDS);
    }
  }

  /** Sends what is not sent yet, and ends. */
  @Override
  public void close() {
    provider.shutdown().join(FLUSH_MS, TimeUnit.MILLISECONDS);
  }

  private final class Ids implements IdGenerator {
    private static final int SPAN_BYTES = 8;
    private static final int TRACE_BYTES = 16;

    @Override
    public String generateSpanId() {
      return hex(SPAN_BYTES);
    }

    @Override
    public String generateTraceId() {
      return hex(TRACE_BYTES);
    }

    private String hex(int length) {
      var id = new byte[length];
      random.nextBytes(id);
      return HexFormat.of().formatHex(id);
    }
  }
}
