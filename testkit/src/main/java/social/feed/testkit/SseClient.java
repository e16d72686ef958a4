package social.feed.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client of server-sent events that parses the stream as the standard requires. */
public final class SseClient implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 30;
  private static final Received NOTHING = new Received("", "", "", "");
  private static final Received END = new Received("", "end", "", "");
  private static final Received BROKEN = new Received("", "broken", "", "");

  private final HttpResponse<InputStream> response;
  private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
  private String lastId = "";

  /** A block of the stream. A block without data is not an event, but its id counts. */
  public record Received(String id, String name, String data, String comment) {}

  public SseClient(HttpResponse<InputStream> response) {
    assertThat(response.statusCode()).isEqualTo(200);
    this.response = response;
    Thread.ofVirtual().start(this::read);
  }

  public HttpResponse<InputStream> response() {
    return response;
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      Received block = NOTHING;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isEmpty()) {
          block = with(block, line);
        } else if (!block.equals(NOTHING)) {
          received.add(block);
          block = NOTHING;
        }
      }
      received.add(END);
    } catch (IOException e) {
      received.add(BROKEN);
    }
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
    try {
      response.body().close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
