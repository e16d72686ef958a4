package social.feed.infra;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;
import software.amazon.awscdk.assertions.Template;

/** The templates of a stage. The same inputs are synthesized once for each folder. */
final class Synthesized {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<Key, Synthesized> ALL = new HashMap<>();

  /** What templates depend on, and the folder where others read them. */
  private record Key(String folder, Stage stage, Map<String, String> context) {}

  private final Path folder;
  private final Map<String, JsonNode> templates = new TreeMap<>();

  /** By part. Each passes all of its JSON to the process of the CDK. */
  private final Map<String, Template> asserted = new HashMap<>();

  private final Map<String, Set<String>> dependencies = new TreeMap<>();
  private final Set<String> protectedParts = new TreeSet<>();

  private Synthesized(String folder, Inputs inputs) {
    try {
      this.folder = Path.of("target", "synthesized", folder);
      var app = new App(AppProps.builder().outdir(this.folder.toString()).build());
      FeedStacks.in(app, inputs);
      for (var stack : app.synth().getStacks()) {
        var part = part(stack.getStackName());
        templates.put(part, JSON.readTree(Path.of(stack.getTemplateFullPath()).toFile()));
        if (Boolean.TRUE.equals(stack.getTerminationProtection())) {
          protectedParts.add(part);
        }
        dependencies.put(
            part,
            stack.getDependencies().stream()
                .map(artifact -> part(artifact.getId()))
                .collect(Collectors.toCollection(TreeSet::new)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String part(String stack) {
    return stack.replaceFirst(".*-", "");
  }

  static Synthesized of(Stage stage) {
    return of(stage.label(), stage);
  }

  /** Returns the templates of an API that runs as a function. */
  static Synthesized withFunction(Stage stage) {
    return of(stage.label() + "-function", stage, ApiInputs.API, ApiKind.FUNCTION.label());
  }

  /**
   * Returns the templates of other inputs.
   *
   * @param folder of the templates, below {@code target/synthesized}
   * @param context names and values of the inputs in turn
   */
  static synchronized Synthesized of(String folder, Stage stage, String... context) {
    var inputs = new HashMap<String, String>();
    for (int i = 0; i < context.length; i += 2) {
      inputs.put(context[i], context[i + 1]);
    }
    return ALL.computeIfAbsent(
        new Key(folder, stage, inputs),
        _ -> {
          try {
            return new Synthesized(folder, StandIns.inputs(stage, context));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Returns the folder that holds the templates. */
  Path folder() {
    return folder;
  }

  /** Returns the parts of the platform that have a stack. */
  List<String> parts() {
    return List.copyOf(templates.keySet());
  }

  /** Returns the parts whose stack refuses to be deleted. */
  Set<String> protectedParts() {
    return protectedParts;
  }

  /** Returns the artifacts that are deployed before a part, including its assets. */
  Set<String> dependencies(String part) {
    return Objects.requireNonNull(dependencies.get(part), part);
  }

  /** Returns the template of a part for CDK assertions. */
  Template template(String part) {
    return asserted.computeIfAbsent(
        part, it -> Template.fromJSON(JSON.convertValue(json(it), new TypeReference<>() {})));
  }

  /** Returns the template of a part as JSON. */
  JsonNode json(String part) {
    var template = templates.get(part);
    if (template == null) {
      throw new IllegalArgumentException("No stack " + part + " but " + templates.keySet());
    }
    return template;
  }

  /** Returns the properties of all resources of a type, in the order of the template. */
  List<JsonNode> all(String part, String type) {
    return StreamSupport.stream(json(part).required("Resources").spliterator(), false)
        .filter(resource -> resource.required("Type").textValue().equals(type))
        .map(resource -> resource.path("Properties"))
        .toList();
  }

  /**
   * Returns the properties of a resource by its id in the code, to which the CDK appends eight
   * characters.
   */
  Optional<JsonNode> named(String part, String id) {
    return json(part).required("Resources").properties().stream()
        .filter(resource -> resource.getKey().matches(id + "[0-9A-F]{8}"))
        .map(resource -> resource.getValue().required("Properties"))
        .findFirst();
  }

  /** Returns the properties of the only resource of a type. */
  JsonNode only(String part, String type) {
    var found = all(part, type);
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " resources of type " + type + " in " + part);
    }
    return found.getFirst();
  }
}
