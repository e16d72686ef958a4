package social.feed.api.edge.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Completes the OpenAPI document, in the generator's regular YAML, by the headers that filters put
 * on the answers of all operations; annotations would have to say them at each.
 */
final class DocumentedHeaders {
  private static final Pattern STATUS = Pattern.compile("^        \"\\d{3}\":$");
  private static final Pattern IN_ANSWER = Pattern.compile("^ {10}.*$");
  private static final String CREATED = "        \"201\":";
  private static final String HEADERS = "          headers:";
  private static final String COMPONENTS = "components:";

  /** What the generator takes a variable for that only an annotation of the route declares. */
  private static final String OBJECT = "          type: object";

  private static final String TEXT = "          type: string";

  private static final List<String> ALWAYS =
      List.of("RateLimit", "RateLimit-Policy", "X-Consumed-Read-Units", "X-Consumed-Write-Units");

  private static final String DEFINITIONS =
      """
        headers:
          Location:
            description: Where it is now
            required: true
            schema:
              type: string
              pattern: "^/v1/"
          RateLimit:
            description: "Requests that the caller may send at once (`r`), and the seconds until that is a whole burst (`t`)"
            schema:
              type: string
              pattern: '^"caller";r=\\d+;t=\\d+$'
          RateLimit-Policy:
            description: "The burst (`q`), and the seconds until it is full again (`w`)"
            schema:
              type: string
              pattern: '^"caller";q=\\d+;w=\\d+$'
          X-Consumed-Read-Units:
            description: "What the answer cost, where the table was asked"
            schema:
              type: number
              minimum: 0
          X-Consumed-Write-Units:
            description: "What the answer cost, where the table was asked"
            schema:
              type: number
              minimum: 0
      """;

  private DocumentedHeaders() {}

  static String addTo(String document) {
    List<String> lines = new ArrayList<>();
    List<String> pending = List.of();
    for (String line : document.lines().toList()) {
      if (!pending.isEmpty() && line.equals(HEADERS)) {
        lines.add(line);
        lines.addAll(pending);
        pending = List.of();
        continue;
      }
      if (!pending.isEmpty() && !IN_ANSWER.matcher(line).matches()) {
        lines.add(HEADERS);
        lines.addAll(pending);
        pending = List.of();
      }
      lines.add(line.equals(OBJECT) ? TEXT : line);
      if (STATUS.matcher(line).matches()) {
        pending = references(line.equals(CREATED));
      } else if (line.equals(COMPONENTS)) {
        lines.addAll(DEFINITIONS.lines().toList());
      }
    }
    return String.join("\n", lines) + "\n";
  }

  private static List<String> references(boolean isCreated) {
    List<String> names = new ArrayList<>(ALWAYS);
    if (isCreated) {
      names.addFirst("Location");
    }
    return names.stream()
        .flatMap(
            name ->
                List.of(
                    "            " + name + ":",
                    "              $ref: \"#/components/headers/" + name + "\"")
                    .stream())
        .toList();
  }
}
