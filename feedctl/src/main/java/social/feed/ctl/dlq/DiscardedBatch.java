package social.feed.ctl.dlq;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import social.feed.streams.deadletter.StreamEvents;

/**
 * A batch that Lambda discarded and wrote to a bucket, as a file. The object is JSON. It names the
 * reason, and contains the event as text in {@code payload} (AWS Lambda Developer Guide, "Retaining
 * discarded records for a DynamoDB event source").
 *
 * @param file the file
 * @param reason Lambda's name of the reason, such as {@code RetryAttemptsExhausted}
 * @param records the records, oldest first
 */
public record DiscardedBatch(Path file, String reason, List<DynamodbStreamRecord> records) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Returns the file at a path, or those of a folder and its folders in the order of their names.
   * The path may be a symbolic link.
   */
  public static List<Path> files(Path path) throws IOException {
    var walked = path.toRealPath();
    try (Stream<Path> below = Files.walk(walked)) {
      return below
          .filter(Files::isRegularFile)
          .map(file -> path.resolve(walked.relativize(file)))
          .sorted()
          .toList();
    }
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException if the file is no batch; the message says why
   */
  public static DiscardedBatch read(Path file) throws IOException {
    try {
      var object = JSON.readTree(Files.readString(file));
      var payload = object.path("payload").textValue();
      if (payload == null) {
        throw new IllegalArgumentException("it has no payload");
      }
      return new DiscardedBatch(
          file,
          object.at("/requestContext/condition").asText("without a reason"),
          StreamEvents.read(payload));
    } catch (JsonProcessingException | CharacterCodingException e) {
      throw new IllegalArgumentException("it is no JSON", e);
    }
  }
}
