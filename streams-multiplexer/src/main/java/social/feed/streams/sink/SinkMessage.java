package social.feed.streams.sink;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.Instant;
import social.feed.event.DomainEvent;
import social.feed.event.EventJson;
import social.feed.table.kernel.time.Timestamps;

/**
 * An event on its way to one sink. As a message of a queue it is {@code {"sink", "failures",
 * "since", "event"}}, less than 2 KB: the event has no text yet.
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
    json.set("event", EventJson.tree(event));
    return json.toString();
  }

  /**
   * Returns the message of a body.
   *
   * @throws IllegalArgumentException if it is none
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
          EventJson.read(json.path("event")));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("It is no JSON: " + e.getOriginalMessage(), e);
    }
  }
}
