package social.feed.streams.sink;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import social.feed.event.DomainEvent;
import social.feed.event.EventJson;
import social.feed.event.LaterEventException;
import social.feed.event.Release;
import social.feed.table.kernel.time.Timestamps;

/**
 * An event on its way to one sink. As a message of a queue it is {@code {"sink", "failures",
 * "since", "release", "event"}}, less than 2 KB: the event has no text yet. The release is the
 * version that wrote it, for versions that cannot read it.
 *
 * @param sink the name of the publisher
 * @param failures how often it could not be published, or was not tried because the sink rested
 * @param since when it was first put on the queue
 */
public record SinkMessage(String sink, int failures, Instant since, DomainEvent event) {
  /**
   * The sink of a message to all sinks that want its event. The consumer knows them; a command that
   * applies a record again does not.
   */
  public static final String EVERY = "*";

  /** How long publishing is tried. After that a message becomes a dead letter. */
  public static final Duration PATIENCE = Duration.ofDays(1);

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration FIRST_DELAY = Duration.ofSeconds(5);

  /** The longest that a queue of SQS delays a message. */
  private static final Duration LONGEST_DELAY = Duration.ofMinutes(15);

  private static final int DOUBLED = 8;

  private static final Pattern RELEASE = Pattern.compile("[0-9A-Za-z.+-]{1,50}");

  /** Returns the message after one more failure. */
  SinkMessage failed() {
    return new SinkMessage(sink, failures + 1, since, event);
  }

  /** Returns the message as it was first, with all its time. */
  public SinkMessage again(Instant now) {
    return new SinkMessage(sink, 0, now, event);
  }

  /** Returns how long to wait after the last failure: 5 s, and twice as long each time. */
  Duration delay() {
    var doubled = FIRST_DELAY.multipliedBy(1L << Math.min(Math.max(0, failures - 1), DOUBLED));
    return doubled.compareTo(LONGEST_DELAY) < 0 ? doubled : LONGEST_DELAY;
  }

  boolean isTooLate(Instant now) {
    return now.isAfter(since.plus(PATIENCE));
  }

  /** Returns the body of a message. */
  public String body() {
    var json = JSON.createObjectNode();
    json.put("sink", sink);
    json.put("failures", failures);
    json.put("since", Timestamps.format(since));
    json.put("release", Release.VERSION);
    json.set("event", EventJson.tree(event));
    return json.toString();
  }

  /** Returns whether a body is a message, of this or another version. */
  static boolean isOne(String body) {
    try {
      var json = JSON.readTree(body);
      return json.path("sink").isTextual() && json.path("event").isObject();
    } catch (JsonProcessingException _) {
      return false;
    }
  }

  /**
   * Returns the message of a body.
   *
   * @throws IllegalArgumentException if it is none, or its event is of a later version; its message
   *     says which version can read it, and what to do
   */
  public static SinkMessage read(String body) {
    try {
      var json = JSON.readTree(body);
      var sink = json.path("sink").asText("");
      if (sink.isEmpty()) {
        throw new IllegalArgumentException("The message names no sink");
      }
      return new SinkMessage(
          sink,
          json.path("failures").asInt(),
          Timestamps.parse(json.path("since").asText("")),
          event(json));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("It is no JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** Builds between two releases share a version, and former ones wrote none. */
  private static String readers(JsonNode message) {
    var writer = message.path("release").asText("");
    return RELEASE.matcher(writer).matches() && !writer.equals(Release.VERSION)
        ? "version %s, this is %s".formatted(writer, Release.VERSION)
        : "a later build than this %s, such as ran at %s"
            .formatted(Release.VERSION, message.path("since").asText());
  }

  private static DomainEvent event(JsonNode message) {
    try {
      return EventJson.read(message.path("event"));
    } catch (LaterEventException e) {
      throw new IllegalArgumentException(
          "%s needs %s. Deploy that version or a later one, then redrive with its ./feed dlq redrive"
              .formatted(e.getMessage(), readers(message)),
          e);
    }
  }
}
