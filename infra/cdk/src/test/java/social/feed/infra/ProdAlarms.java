package social.feed.infra;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The alarms of the production stage, whose API is a service or a function. */
final class ProdAlarms {
  static final Synthesized SERVICE = Synthesized.of(Stage.PROD);

  /** The same stage with the API as a function, which has other alarms in place of the tasks'. */
  static final Synthesized FUNCTION = Synthesized.withFunction(Stage.PROD);

  private ProdAlarms() {}

  /**
   * Returns the ids of the alarms in the code, of both kinds of API, without the eight characters
   * that the CDK appends.
   */
  static TreeSet<String> names() {
    var names = names(SERVICE);
    names.addAll(names(FUNCTION));
    return names;
  }

  static TreeSet<String> names(Synthesized stage) {
    var names = new TreeSet<String>();
    for (var resource : stage.json("watch").required("Resources").properties()) {
      if (resource.getValue().required("Type").textValue().equals("AWS::CloudWatch::Alarm")) {
        names.add(resource.getKey().replaceFirst("[0-9A-F]{8}$", ""));
      }
    }
    return names;
  }

  static JsonNode named(String name) {
    return SERVICE
        .named("watch", name)
        .or(() -> FUNCTION.named("watch", name))
        .orElseThrow(() -> new AssertionError("No alarm " + name));
  }

  static List<JsonNode> all() {
    return names().stream().map(ProdAlarms::named).toList();
  }

  static Set<String> texts(JsonNode owner, String field) {
    return new TreeSet<>(
        new ArrayList<>(owner.findValues(field))
            .stream().filter(JsonNode::isTextual).map(JsonNode::textValue).toList());
  }
}
