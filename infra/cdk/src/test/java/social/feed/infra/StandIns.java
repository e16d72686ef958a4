package social.feed.infra;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;
import software.constructs.Node;

/** Substitutes for the function package and the image, of which synthesis reads only the bytes. */
final class StandIns {
  static final String MAIL_FROM = "no-reply@mail.example.com";

  private static final String ABSENT = "absent";

  private StandIns() {}

  /**
   * Returns the inputs of a stage, with the package or the image that the API needs and without the
   * other. The API runs as a service by default.
   *
   * @param context names and values of more inputs in turn, as {@code -c} takes them
   */
  static Inputs inputs(Stage stage, String... context) throws IOException {
    var more = new HashMap<String, Object>();
    for (int i = 0; i < context.length; i += 2) {
      more.put(context[i], context[i + 1]);
    }
    return inputs(stage, more);
  }

  /** Returns the inputs of a stage, with more inputs as {@code cdk.json} has them. */
  static Inputs inputs(Stage stage, Map<String, ?> more) throws IOException {
    return of(context(stage, more));
  }

  private static Map<String, Object> context(Stage stage, Map<String, ?> more) throws IOException {
    var folder = Files.createDirectories(Path.of("target", "stand-ins"));
    var zip = Files.writeString(folder.resolve("multiplexer.zip"), "stands in for the package");
    var apiZip = Files.writeString(folder.resolve("api.zip"), "stands in for the API's package");
    var layer = Files.writeString(folder.resolve("layer.zip"), "stands in for the libraries");
    var image = Files.createDirectories(folder.resolve("image"));
    Files.writeString(image.resolve("Dockerfile"), "FROM scratch\n");
    var all = new HashMap<String, Object>(more);
    all.put(Inputs.STAGE, stage.label());
    all.putIfAbsent(ApiInputs.API, ApiKind.SERVICE.label());
    boolean isFunction = all.get(ApiInputs.API).equals(ApiKind.FUNCTION.label());
    boolean needsFolder = !isFunction && !all.containsKey(ApiInputs.IMAGE);
    all.putIfAbsent(Inputs.FUNCTION_ZIP, zip.toString());
    all.putIfAbsent(ApiInputs.FUNCTION_ZIP, isFunction ? apiZip.toString() : ABSENT);
    all.putIfAbsent(SearchInputs.LAYER_ZIP, layer.toString());
    all.putIfAbsent(ApiInputs.IMAGE_DIRECTORY, needsFolder ? image.toString() : ABSENT);
    if (stage.needsMailSender()) {
      all.putIfAbsent(Inputs.MAIL_FROM, MAIL_FROM);
    }
    return all;
  }

  /** Returns the inputs of a stage, with an API that runs as a function. */
  static Inputs function(Stage stage) throws IOException {
    return inputs(stage, ApiInputs.API, ApiKind.FUNCTION.label());
  }

  /** Returns the names of all inputs. */
  static Set<String> names() throws IOException {
    var context = new InputContext(app(context(Stage.DEV, Map.of())));
    Inputs.of(context);
    return context.names();
  }

  /** Returns the inputs in a context. */
  static Inputs of(Map<String, Object> context) {
    return Inputs.of(app(context));
  }

  private static Node app(Map<String, Object> context) {
    return new App(AppProps.builder().context(context).build()).getNode();
  }
}
