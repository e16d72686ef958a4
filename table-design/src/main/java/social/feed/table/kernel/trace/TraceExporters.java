package social.feed.table.kernel.trace;

import io.opentelemetry.exporter.internal.otlp.traces.TraceRequestMarshaler;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where spans are sent. */
public final class TraceExporters {
  /** The names of the exporters, as a pattern of regular expressions. */
  public static final String NAMES = "none|log|otlp|xray";

  private static final String COLLECTOR = "http://localhost:4318/v1/traces";
  private static final String DAEMON = "127.0.0.1:2000";

  private TraceExporters() {}

  /**
   * Returns tracing by settings; empty where it is off.
   *
   * @param exporter {@code none}, {@code log}, {@code otlp} or {@code xray}
   * @param endpoint for {@code otlp} the URL of a collector, for {@code xray} host and port of a
   *     daemon; otherwise the default of each, which for {@code xray} is Lambda's
   * @param service the name of this part of the platform
   */
  public static Optional<Tracing> tracing(
      String exporter, @Nullable String endpoint, String service) {
    return exporter.equals("none")
        ? Optional.empty()
        : Optional.of(new Tracing(service, processor(exporter, endpoint)));
  }

  private static SpanProcessor processor(String exporter, @Nullable String endpoint) {
    return switch (exporter) {
      case "log" -> SimpleSpanProcessor.create(new LogLines());
      case "xray" -> SimpleSpanProcessor.create(new Datagrams(daemon(endpoint)));
      case "otlp" ->
          BatchSpanProcessor.builder(
                  OtlpHttpSpanExporter.builder()
                      .setEndpoint(endpoint == null ? COLLECTOR : endpoint)
                      .build())
              .build();
      default ->
          throw new IllegalArgumentException(
              "Set feed.tracing.exporter to %s, not %s".formatted(NAMES, exporter));
    };
  }

  private static InetSocketAddress daemon(@Nullable String endpoint) {
    var lambda = System.getenv().getOrDefault("AWS_XRAY_DAEMON_ADDRESS", DAEMON);
    var address = endpoint == null ? lambda : endpoint;
    int colon = address.lastIndexOf(':');
    return new InetSocketAddress(
        address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
  }

  /** Writes a line for each span. */
  private static final class LogLines implements SpanExporter {
    private static final Logger LOG = LoggerFactory.getLogger("social.feed.trace");
    private static final double NANOS_OF_MS = 1e6;

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      spans.forEach(LogLines::log);
      return CompletableResultCode.ofSuccess();
    }

    private static void log(SpanData span) {
      double ms = (span.getEndEpochNanos() - span.getStartEpochNanos()) / NANOS_OF_MS;
      var line =
          LOG.atInfo()
              .addKeyValue("trace", span.getTraceId())
              .addKeyValue("span", span.getSpanId())
              .addKeyValue("parent", span.getParentSpanId())
              .addKeyValue("ms", ms);
      for (var attribute : span.getAttributes().asMap().entrySet()) {
        line = line.addKeyValue(attribute.getKey().getKey(), attribute.getValue());
      }
      line.log(
          "Span {} of {}: trace {}, span {}, parent {}, {} ms",
          span.getName(),
          span.getResource().getAttribute(Tracing.SERVICE),
          span.getTraceId(),
          span.getSpanId(),
          span.getParentSpanId(),
          ms);
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }

  /**
   * Sends each span to the daemon of X-Ray as a datagram, which waits for no answer. The daemon
   * takes spans in the protocol of OpenTelemetry behind a prefix, as AWS's own exporter sends them.
   */
  private static final class Datagrams implements SpanExporter {
    private static final Logger LOG = LoggerFactory.getLogger(Datagrams.class);

    /** A header, and the prefix of sampled spans. */
    private static final String PREFIX = "{\"format\":\"json\",\"version\":1}\nT1S";

    private final InetSocketAddress daemon;

    Datagrams(InetSocketAddress daemon) {
      this.daemon = daemon;
    }

    /** Opens a socket each time: one of a snapshot would not survive its restore. */
    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      try (var socket = new DatagramSocket()) {
        for (var span : spans) {
          var datagram = datagram(span);
          socket.send(new DatagramPacket(datagram, datagram.length, daemon));
        }
        return CompletableResultCode.ofSuccess();
      } catch (IOException e) {
        LOG.debug("A span is lost", e);
        return CompletableResultCode.ofFailure();
      }
    }

    private static byte[] datagram(SpanData span) throws IOException {
      var bytes = new ByteArrayOutputStream();
      TraceRequestMarshaler.create(List.of(span)).writeBinaryTo(bytes);
      return (PREFIX + Base64.getEncoder().encodeToString(bytes.toByteArray()))
          .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }
}
