package social.feed.api.webhook;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.ProblemException;
import social.feed.event.EventType;

/** The types of events in a request. */
final class EventTypes {
  /** The most entries of a list, which may repeat a type. */
  static final int MAX = 50;

  /** The pattern in documents. Which of the names exist is in the message of the refusal. */
  static final String PATTERN = "^[a-z]+\\.[a-z_]+$";

  private static final List<String> ALL =
      Arrays.stream(EventType.values())
          .filter(type -> type != EventType.WEBHOOK_TEST)
          .map(EventType::eventName)
          .toList();

  private EventTypes() {}

  /**
   * Returns the types of a request, each once.
   *
   * @throws ProblemException {@code invalid_content} for an unknown one
   */
  static List<String> of(@Nullable List<String> named) {
    List<String> types = named == null ? List.of() : named.stream().distinct().sorted().toList();
    if (!ALL.containsAll(types)) {
      throw ProblemException.invalidContent(
          "event_types",
          "names an unknown type; there are " + ALL.stream().collect(Collectors.joining(", ")));
    }
    return types;
  }
}
