package social.feed.api.live;

import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Writes events in the format of server-sent events. */
@Singleton
final class EventText {
  private final JsonMapper json;

  EventText(JsonMapper json) {
    this.json = json;
  }

  /** Returns the block of an event. A client shows no block without data, but stores its id. */
  byte[] of(LiveEvent event) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    write(block, "id: " + event.id().text() + "\n");
    if (event.name() == null) {
      write(block, ": still here\n");
    } else {
      write(block, "event: " + event.name() + "\n");
    }
    if (event.data() != null) {
      // The JSON contains no line breaks, so it is one line.
      write(block, "data: ");
      block.writeBytes(json(event.data()));
      write(block, "\n");
    }
    write(block, "\n");
    return block.toByteArray();
  }

  /** Returns the line that sets after which time a client reconnects. */
  byte[] retryAfter(Duration time) {
    return "retry: %d\n\n".formatted(time.toMillis()).getBytes(StandardCharsets.UTF_8);
  }

  private static void write(ByteArrayOutputStream block, String text) {
    block.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private byte[] json(Object data) {
    try {
      return json.writeValueAsBytes(data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
