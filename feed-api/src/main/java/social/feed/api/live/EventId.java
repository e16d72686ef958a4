package social.feed.api.live;

import io.micronaut.core.convert.ConversionContext;
import io.micronaut.core.convert.TypeConverter;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import social.feed.api.edge.problem.ProblemException;
import social.feed.table.kernel.time.Timestamps;

/**
 * The id of an event: its sort key, then {@code ~}, the floor and the cursors sent above it, each
 * in sixteen characters. So a client that reconnects states its progress to any server. A sort key
 * alone means that the client has everything up to it.
 *
 * @param position the event's sort key, or a time for an event outside the lists
 * @param progress of a client that has this event and all earlier ones
 */
record EventId(String position, ClientProgress progress) {
  /** The header in which a client returns the id. */
  static final String HEADER = "Last-Event-ID";

  private static final String SEPARATOR = "~";
  private static final int LENGTH_MAX = 1_200;

  /** Tolerated clock difference. */
  private static final Duration SLACK = Duration.ofMinutes(1);

  /** The sort keys of home feeds, of pulled posts and of notifications, and a time alone. */
  private static final Pattern POSITION =
      Pattern.compile("[0-9TZ:.-]{24}(?:#\\d{1,4})?(?:#[A-Z]{1,10})?(?:#([0-9A-Z]{26}))?");

  String text() {
    StringBuilder text = new StringBuilder(position).append(SEPARATOR);
    text.append(progress.floor().text());
    progress.sent().forEach(cursor -> text.append(cursor.text()));
    return text.toString();
  }

  /**
   * Reads an id.
   *
   * @throws ProblemException {@code invalid_request}, for text that is not the id of an event
   */
  static EventId parse(String text, Instant now) {
    if (text.length() <= LENGTH_MAX) {
      try {
        EventId id = parse(text);
        if (id.progress.floor().time().isBefore(now.plus(SLACK))) {
          return id;
        }
      } catch (IllegalArgumentException e) {
        // Falls through to the problem below.
      }
    }
    throw ProblemException.invalid(HEADER, "must be the id of an event");
  }

  /** Reads the header while the request is bound, so that its error joins those of the request. */
  @Singleton
  static final class Converter implements TypeConverter<CharSequence, EventId> {
    private final InstantSource clock;

    Converter(InstantSource clock) {
      this.clock = clock;
    }

    @Override
    public Optional<EventId> convert(
        CharSequence text, Class<EventId> target, ConversionContext context) {
      try {
        return Optional.of(parse(text.toString(), clock.instant()));
      } catch (ProblemException e) {
        context.reject(text, e);
        return Optional.empty();
      }
    }
  }

  private static EventId parse(String text) {
    int end = text.indexOf(SEPARATOR);
    String position = end < 0 ? text : text.substring(0, end);
    EventCursor known = known(position);
    return new EventId(
        position, end < 0 ? ClientProgress.from(known) : progress(text.substring(end + 1)));
  }

  private static EventCursor known(String position) {
    var parts = POSITION.matcher(position);
    if (!parts.matches()) {
      throw new IllegalArgumentException("Not a sort key: " + position);
    }
    Instant time = Timestamps.leading(position);
    String id = parts.group(1);
    return id == null ? EventCursor.at(time) : EventCursor.of(id);
  }

  private static ClientProgress progress(String cursors) {
    if (cursors.isEmpty() || cursors.length() % EventCursor.LENGTH != 0) {
      throw new IllegalArgumentException("Not cursors: " + cursors);
    }
    TreeSet<EventCursor> sent = new TreeSet<>();
    for (int start = EventCursor.LENGTH; start < cursors.length(); start += EventCursor.LENGTH) {
      sent.add(new EventCursor(cursors.substring(start, start + EventCursor.LENGTH)));
    }
    return new ClientProgress(EventCursor.of(cursors), sent);
  }
}
