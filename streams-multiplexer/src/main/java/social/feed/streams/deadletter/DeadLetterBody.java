package social.feed.streams.deadletter;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.util.List;

/** A stream event of one record in Lambda's own JSON, as a message can hold it. */
final class DeadLetterBody {
  private DeadLetterBody() {}

  static String of(DynamodbStreamRecord record) {
    return sendable(StreamEvents.write(List.of(record)), "\\u%04x");
  }

  /**
   * The record of a body.
   *
   * @throws IllegalArgumentException for what is no such event
   */
  static DynamodbStreamRecord record(String body) {
    var records = read(body);
    if (records.size() != 1) {
      throw new IllegalArgumentException("The message is no stream event of one record");
    }
    return records.getFirst();
  }

  private static List<DynamodbStreamRecord> read(String body) {
    try {
      return StreamEvents.read(body);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("The message is no stream event: " + e.getMessage(), e);
    }
  }

  /** A key may hold any character, a message only those that XML has; others are written out. */
  static String sendable(String text, String other) {
    var sendable = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            point -> {
              if (isAllowed(point)) {
                sendable.appendCodePoint(point);
              } else {
                sendable.append(other.formatted(point));
              }
            });
    return sendable.toString();
  }

  private static boolean isAllowed(int point) {
    return point == '\t'
        || point == '\n'
        || point == '\r'
        || (point >= 0x20 && point <= 0xD7FF)
        || (point >= 0xE000 && point <= 0xFFFD)
        || point >= 0x10000;
  }
}
