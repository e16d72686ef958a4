package social.feed.local.dlq;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import social.feed.streams.deadletter.DeadLetter;

/** Renders all fields of a dead letter. */
public final class DeadLetterPage {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LINE = "%-10s  %s%n";

  private DeadLetterPage() {}

  /** Returns the fields, and both images as DynamoDB writes them in JSON. */
  public static String of(LeasedDeadLetter held) {
    var page = new StringBuilder();
    line(page, "id", held.id());
    line(page, "handler", held.handler());
    line(page, "reason", held.reason());
    line(page, "sent", held.sentAt());
    line(page, "received", held.received() + (held.received() == 1 ? " time" : " times"));
    return held.deadLetter()
        .map(deadLetter -> of(deadLetter, held, page))
        .orElseGet(() -> raw(held, page));
  }

  private static String of(DeadLetter deadLetter, LeasedDeadLetter held, StringBuilder page) {
    var body = read(held.message().body());
    var record = body.at("/Records/0");
    line(page, "item", deadLetter.subject());
    line(page, "event", record.path("eventName").asText("?"));
    line(page, "sequence", deadLetter.sequenceNumber());
    line(
        page,
        "shard",
        deadLetter.shardId().orElse("unknown: only events of the counts lane name it"));
    if (deadLetter.isTruncated()) {
      line(page, "images", "were too large for a message; only the key is left");
    }
    image(page, "old image", record.at("/dynamodb/OldImage"));
    image(page, "new image", record.at("/dynamodb/NewImage"));
    return page.toString();
  }

  private static String raw(LeasedDeadLetter held, StringBuilder page) {
    return page.append("body%n".formatted())
        .append(held.message().body())
        .append("%n".formatted())
        .toString();
  }

  private static void image(StringBuilder page, String name, JsonNode image) {
    if (image.isObject()) {
      page.append(name).append("%n".formatted()).append(image.toPrettyString());
      page.append("%n".formatted());
    } else {
      line(page, name, "none");
    }
  }

  private static void line(StringBuilder page, String name, Object value) {
    page.append(LINE.formatted(name, value));
  }

  private static JsonNode read(String body) {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A dead letter that was read before cannot be read again", e);
    }
  }
}
