package social.feed.table.kernel.trace;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The context of a trace in an item: 25 bytes, which are a version, the trace's id of 16 bytes and
 * the span's id of 8. Only sampled contexts are stored, so there are no flags. The attribute
 * belongs to no row: {@code RowCodec} ignores it.
 */
public final class StoredContext {
  /** The name of the attribute. Stored, so it never changes. */
  public static final String ATTRIBUTE = "tc";

  /** The bytes of a value. */
  public static final int BYTES = 25;

  private static final byte VERSION = 0;
  private static final int SPAN_AT = 17;

  private StoredContext() {}

  /** Returns the value for the context of a sampled span. */
  public static ByteBuffer of(SpanContext span) {
    return ByteBuffer.allocate(BYTES)
        .put(VERSION)
        .put(span.getTraceIdBytes())
        .put(span.getSpanIdBytes())
        .flip();
  }

  /** Returns the context in a value, which is not consumed; empty for one of another version. */
  public static Optional<SpanContext> read(ByteBuffer value) {
    if (value.remaining() != BYTES || value.get(value.position()) != VERSION) {
      return Optional.empty();
    }
    var bytes = new byte[BYTES];
    value.duplicate().get(bytes);
    var hex = HexFormat.of();
    return Optional.of(
            SpanContext.createFromRemoteParent(
                hex.formatHex(bytes, 1, SPAN_AT),
                hex.formatHex(bytes, SPAN_AT, BYTES),
                TraceFlags.getSampled(),
                TraceState.getDefault()))
        .filter(SpanContext::isValid);
  }
}
