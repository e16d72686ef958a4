package social.feed.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A client of server-sent events that parses the stream as the standard requires. */
public final class SseClient implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 30;
  private static final int HTTP_OK = 200;
  private static final String RETRY = "retry:";
  private static final Received NOTHING = new Received("", "", "", "");
  private static final Received END = new Received("", "end", "", "");
  private static final Received BROKEN = new Received("", "broken", "", "");

  private final HttpResponse<InputStream> response;
  private final @Nullable Function<String, HttpResponse<InputStream>> reconnect;
  private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private String lastId = "";

  /** A block of the stream. A block without data is not an event, but its id counts. */
  public record Received(String id, String name, String data, String comment) {}

  public SseClient(HttpResponse<InputStream> response) {
    this(response, null);
  }

  /**
   * @param reconnect opens the stream again after an id, where a response ended with the time after
   *     which to do so
   */
  public SseClient(
      HttpResponse<InputStream> response,
      @Nullable Function<String, HttpResponse<InputStream>> reconnect) {
    assertThat(response.statusCode()).isEqualTo(200);
    this.response = response;
    this.reconnect = reconnect;
    Thread.ofVirtual().start(this::read);
  }

  public HttpResponse<InputStream> response() {
    return response;
  }

  private void read() {
    try {
      Read read = read(response, "");
      while (reconnect != null
          && read.retryMillis() >= 0
          && !closed.await(read.retryMillis(), TimeUnit.MILLISECONDS)) {
        HttpResponse<InputStream> next = reconnect.apply(read.lastId());
        if (next.statusCode() != HTTP_OK) {
          break;
        }
        read = read(next, read.lastId());
      }
      received.add(END);
    } catch (IOException | UncheckedIOException e) {
      received.add(BROKEN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What a client keeps of a response: the last id, and when to reconnect, negative for never. */
  private record Read(String lastId, long retryMillis) {}

  private Read read(HttpResponse<InputStream> from, String lastIdBefore) throws IOException {
    String last = lastIdBefore;
    long retryMillis = -1;
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(from.body(), StandardCharsets.UTF_8))) {
      Received block = NOTHING;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(RETRY)) {
          retryMillis = Long.parseLong(line.substring(RETRY.length()).strip());
        } else if (!line.isEmpty()) {
          block = with(block, line);
        } else if (!block.equals(NOTHING)) {
          received.add(block);
          last = block.id().isEmpty() ? last : block.id();
          block = NOTHING;
        }
      }
    }
    return new Read(last, retryMillis);
  }

  private static Received with(Received block, String line) {
    int colon = line.indexOf(':');
    String value = line.substring(colon + 1).stripLeading();
    return switch (line.substring(0, colon)) {
      case "id" -> new Received(value, block.name(), block.data(), block.comment());
      case "event" -> new Received(block.id(), value, block.data(), block.comment());
      case "data" -> new Received(block.id(), block.name(), block.data() + value, block.comment());
      case "" -> new Received(block.id(), block.name(), block.data(), value);
      default -> throw new AssertionError(line);
    };
  }

  /** Returns the next block of any kind. */
  public Received block() {
    try {
      Received block = received.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (block == null) {
        throw new AssertionError("No block within " + PATIENCE_SECONDS + " seconds");
      }
      if (!block.id().isEmpty()) {
        lastId = block.id();
      }
      return block;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the next event, without keep-alive blocks. */
  public Received next() {
    Instant end = Instant.now().plusSeconds(PATIENCE_SECONDS);
    Received block = block();
    while (block.data().isEmpty() && block != END && block != BROKEN) {
      if (Instant.now().isAfter(end)) {
        throw new AssertionError("Only keep-alive blocks within " + PATIENCE_SECONDS + " seconds");
      }
      block = block();
    }
    return block;
  }

  /**
   * Waits for the first block.
   *
   * @return the id from which a client can reconnect
   */
  public String begin() {
    assertThat(block().data()).isEmpty();
    return lastId;
  }

  /** Returns the id that a client sends when it reconnects now. */
  public String lastId() {
    return lastId;
  }

  /** Waits for the end of the response. */
  public void ends() {
    assertThat(next()).isSameAs(END);
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      response.body().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
