package social.feed.streams.celebrity;

import java.util.Map;
import social.feed.table.kernel.time.Timestamps;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/**
 * Sends changes of the flag as messages of a queue, which an EventBridge pipe forwards to a bus.
 * Locally any client may read the queue. The body is {@code {"detail_type", "user_id",
 * "is_celebrity", "followers_count", "version", "at"}}.
 */
public final class SqsCelebrityEvents implements CelebrityEvents {
  private static final String TYPE = "detail_type";

  private final SqsClient queue;
  private final String queueUrl;

  public SqsCelebrityEvents(SqsClient queue, String queueUrl) {
    this.queue = queue;
    this.queueUrl = queueUrl;
  }

  @Override
  public void publish(CelebrityFlagChanged event) {
    var type =
        MessageAttributeValue.builder()
            .dataType("String")
            .stringValue(CelebrityFlagChanged.NAME)
            .build();
    queue.sendMessage(
        m -> m.queueUrl(queueUrl).messageBody(json(event)).messageAttributes(Map.of(TYPE, type)));
  }

  /** No value requires escaping: a user id has A to Z, a to z, digits, '_' and '-'. */
  static String json(CelebrityFlagChanged event) {
    return """
        {"detail_type":"%s","user_id":"%s","is_celebrity":%b,"followers_count":%d,"version":%d,"at":"%s"}\
        """
        .formatted(
            CelebrityFlagChanged.NAME,
            event.userId(),
            event.isCelebrity(),
            event.followersCount(),
            event.version(),
            Timestamps.format(event.at()));
  }
}
