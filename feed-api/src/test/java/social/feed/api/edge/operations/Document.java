package social.feed.api.edge.operations;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the OpenAPI document by its indentation, which is the generator's and therefore regular.
 */
final class Document {
  private static final Pattern PATH = Pattern.compile("^  (/\\S+):$");
  private static final Pattern METHOD = Pattern.compile("^    (get|post|put|patch|delete):$");
  private static final Pattern STATUS = Pattern.compile("^        \"(\\d{3})\":$");

  private Document() {}

  /** The lines of each operation, by e.g. {@code get /v1/feed}. */
  static Map<String, List<String>> operations(List<String> lines) {
    Map<String, List<String>> operations = new LinkedHashMap<>();
    String path = "";
    List<String> current = new ArrayList<>();
    for (String line : lines.subList(lines.indexOf("paths:"), lines.indexOf("components:"))) {
      Matcher atPath = PATH.matcher(line);
      Matcher atMethod = METHOD.matcher(line);
      if (atPath.matches()) {
        path = atPath.group(1);
      } else if (atMethod.matches()) {
        current = new ArrayList<>();
        operations.put(atMethod.group(1) + " " + path, current);
      } else {
        current.add(line);
      }
    }
    return operations;
  }

  static List<String> statuses(List<String> operation) {
    return operation.stream()
        .map(STATUS::matcher)
        .filter(Matcher::matches)
        .map(matcher -> matcher.group(1))
        .toList();
  }

  /** The names of the headers that an operation documents for a status. */
  static List<String> headers(List<String> operation, String status) {
    List<String> headers = new ArrayList<>();
    String section = "";
    String current = "";
    for (String line : operation) {
      if (line.startsWith("        \"")) {
        current = line.strip().replaceAll("[\":]", "");
        section = "";
      } else if (line.matches(" {10}\\w+:.*")) {
        section = line.strip();
      } else if (current.equals(status)
          && section.equals("headers:")
          && line.matches(" {12}[\\w-]+:")) {
        headers.add(line.strip().replace(":", ""));
      }
    }
    return headers;
  }
}
