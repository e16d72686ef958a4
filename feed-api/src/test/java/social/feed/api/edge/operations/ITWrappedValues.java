package social.feed.api.edge.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.testkit.SeedWorld;

/** Lists with one value where the value is expected. The decoder alone would accept them. */
@ExtendWith(FeedServerExtension.class)
class ITWrappedValues {
  private static final String ENUM = "enum";

  private final FeedServer server;
  private final RightRequests requests;
  private final Api operator;

  ITWrappedValues(FeedServer server, SeedWorld world) {
    this.server = server;
    this.requests = new RightRequests(server, world);
    this.operator = server.asOperator(requests.owner());
  }

  @Test
  void fieldOfABody_inAList_isRefused() {
    Map<String, Answer> answers = new TreeMap<>();
    RightRequests.operations(server)
        .forEach(
            (name, operation) ->
                operation.fields().entrySet().stream()
                    .filter(field -> !"array".equals(field.getValue().get("type")))
                    .forEach(
                        field ->
                            answers.put(
                                name + " " + field.getKey(),
                                requests.send(
                                    operator,
                                    name,
                                    "{\"%s\":[%s]}"
                                        .formatted(field.getKey(), value(field.getValue()))))));

    assertThat(answers).hasSizeGreaterThan(20).containsKey("post /v1/posts visibility");
    answers.forEach(
        (name, answer) -> {
          assertThat(answer.status()).as(name + ": " + answer.text()).isEqualTo(400);
          Expect.blames(400, name.substring(name.lastIndexOf(' ') + 1), answer);
        });
  }

  /** Returns JSON that the field could have. */
  private static String value(Map<String, Object> schema) {
    if (schema.get(ENUM) instanceof List<?> constants) {
      return "\"" + constants.getFirst() + "\"";
    }
    return switch (String.valueOf(schema.get("type"))) {
      case "boolean" -> "true";
      case "integer" -> "1";
      default -> "date-time".equals(schema.get("format")) ? "\"2030-01-01T00:00:00Z\"" : "\"x\"";
    };
  }
}
