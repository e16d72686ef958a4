package social.feed.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import social.feed.table.access.AccessPattern;

/** A readable summary of the requests in the golden file of {@link ITRequests}. */
final class SentRequests {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/requests.txt");
  private static final Pattern LINE = Pattern.compile("(?m)^  (\\w+) +(.*)$");
  private static final Pattern PAIR = Pattern.compile("([#:]?\\w+)=([^,}]*)");

  private final Map<String, List<String>> byPattern;

  SentRequests() {
    try {
      this.byPattern =
          Arrays.stream(Files.readString(GOLDEN).split("(?m)^# "))
              .filter(pattern -> !pattern.isBlank())
              .collect(
                  Collectors.toMap(
                      pattern -> pattern.substring(0, pattern.indexOf(' ')),
                      pattern ->
                          List.of(pattern.substring(pattern.indexOf('\n')).strip().split("\n\n"))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the key, or the key condition, of the first request of a pattern. */
  String condition(AccessPattern pattern) {
    var first = lines(pattern);
    if (!first.containsKey("condition")) {
      return "`"
          + pairs(first.getOrDefault("key", "")).entrySet().stream()
              .map(key -> key.getKey() + " = " + key.getValue())
              .sorted()
              .collect(Collectors.joining(" AND "))
          + "`";
    }
    var condition = first.getOrDefault("condition", "");
    for (var names :
        List.of(pairs(first.getOrDefault("names", "")), pairs(first.getOrDefault("values", "")))) {
      for (var name : names.entrySet()) {
        condition = condition.replaceAll(name.getKey() + "\\b", name.getValue());
      }
    }
    return "`" + condition + "`";
  }

  /** Returns the consistency of the first request of a pattern. */
  String consistency(AccessPattern pattern) {
    return "true".equals(lines(pattern).get("consistent")) ? "strong" : "eventual";
  }

  private Map<String, String> lines(AccessPattern pattern) {
    return LINE.matcher(byPattern.getOrDefault(pattern.id(), List.of()).getFirst())
        .results()
        .collect(Collectors.toMap(line -> line.group(1), line -> line.group(2), (a, _) -> a));
  }

  private static Map<String, String> pairs(String map) {
    return PAIR.matcher(map)
        .results()
        .collect(Collectors.toMap(pair -> pair.group(1), pair -> pair.group(2)));
  }
}
