package social.feed.streams.deadletter;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.util.List;

/** Converts a stream event of one record, in Lambda's own JSON, to a message body and back. */
final class DeadLetterBody {
  private DeadLetterBody() {}

  static String of(DynamodbStreamRecord record) {
    return sendable(StreamEvents.write(List.of(record)), "\\u%04x");
  }

  /**
   * Returns the record in a body.
   *
   * @throws IllegalArgumentException for a body that is no such event
   */
  static DynamodbStreamRecord record(String body) {
    var records = read(body);
    if (records.size() != 1) {
      throw new IllegalArgumentException("The message is not a stream event of one record");
    }
    return records.getFirst();
  }

  private static List<DynamodbStreamRecord> read(String body) {
    try {
      return StreamEvents.read(body);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("The message is not a stream event: " + e.getMessage(), e);
    }
  }

  /** Escapes characters that a key may hold and a message may not: those that XML excludes. */
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
