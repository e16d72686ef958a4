package social.feed.table.row;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A call of a webhook, as its row of deliveries has it.
 *
 * @param eventId the event, which does not say whom it was about
 * @param eventType the type of the event
 * @param at when the call ended
 * @param delivered whether it was a success
 * @param status of the answer; absent without one
 * @param error why it was no success; absent for a success
 * @param tookMs the time of the call in milliseconds
 */
public record WebhookDelivery(
    String eventId,
    String eventType,
    Instant at,
    boolean delivered,
    @Nullable Integer status,
    @Nullable String error,
    long tookMs) {
  /** The longest error that is kept, in bytes of UTF-8, as the table counts it. */
  private static final int ERROR_MAX = 200;

  public WebhookDelivery {
    error = error == null ? null : cut(error);
  }

  /** Returns the beginning of a text, of whole characters. */
  private static String cut(String text) {
    var characters = CharBuffer.wrap(text);
    var _ =
        StandardCharsets.UTF_8
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .encode(characters, ByteBuffer.allocate(ERROR_MAX), true);
    return text.substring(0, characters.position());
  }
}
