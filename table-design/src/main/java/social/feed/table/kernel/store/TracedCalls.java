package social.feed.table.kernel.store;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.trace.StoredContext;
import social.feed.table.kernel.trace.Tracing;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * Gives each call in a span a span of its own, all attempts together, and stores the context in the
 * items that the call puts. Updates and deletions store none. Neither does a batch of writes: it
 * has feed entries and tag rows, which cause nothing.
 */
final class TracedCalls implements ExecutionInterceptor {
  private static final ExecutionAttribute<Span> SPAN = new ExecutionAttribute<>("FeedSpan");

  private final Tracing tracing;

  TracedCalls(Tracing tracing) {
    this.tracing = tracing;
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    var request = context.request().getClass().getSimpleName();
    tracing
        .beginCall(request.replaceFirst("Request$", ""))
        .ifPresent(span -> attributes.putAttribute(SPAN, span));
  }

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    var span = of(attributes).orElseGet(Span::current).getSpanContext();
    return span.isSampled() ? storing(span, context.request()) : context.request();
  }

  private static SdkRequest storing(SpanContext span, SdkRequest request) {
    return switch (request) {
      case PutItemRequest r -> r.toBuilder().item(storing(span, r.item())).build();
      case TransactWriteItemsRequest r ->
          r.toBuilder().transactItems(storing(span, r.transactItems())).build();
      case SdkRequest r -> r;
    };
  }

  private static List<TransactWriteItem> storing(SpanContext span, List<TransactWriteItem> writes) {
    return writes.stream()
        .map(
            write ->
                write.put() == null
                    ? write
                    : write.toBuilder()
                        .put(write.put().copy(p -> p.item(storing(span, write.put().item()))))
                        .build())
        .toList();
  }

  private static Map<String, AttributeValue> storing(
      SpanContext span, Map<String, AttributeValue> item) {
    var storing = new HashMap<>(item);
    storing.put(
        StoredContext.ATTRIBUTE,
        AttributeValue.fromB(SdkBytes.fromByteBuffer(StoredContext.of(span))));
    return storing;
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    of(attributes).ifPresent(Span::end);
  }

  @Override
  public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
    of(attributes)
        .ifPresent(
            span -> {
              Tracing.fail(span, context.exception());
              span.end();
            });
  }

  private static Optional<Span> of(ExecutionAttributes attributes) {
    @Nullable Span span = attributes.getAttribute(SPAN);
    return Optional.ofNullable(span);
  }
}
