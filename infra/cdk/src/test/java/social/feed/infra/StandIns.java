package social.feed.infra;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;

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
    var folder = Files.createDirectories(Path.of("target", "stand-ins"));
    var zip = Files.writeString(folder.resolve("multiplexer.zip"), "stands in for the package");
    var apiZip = Files.writeString(folder.resolve("api.zip"), "stands in for the API's package");
    var image = Files.createDirectories(folder.resolve("image"));
    Files.writeString(image.resolve("Dockerfile"), "FROM scratch\n");
    var all = new HashMap<String, Object>();
    for (int i = 0; i < context.length; i += 2) {
      all.put(context[i], context[i + 1]);
    }
    all.put(Inputs.STAGE, stage.label());
    all.putIfAbsent(Inputs.API, ApiKind.SERVICE.label());
    boolean isFunction = all.get(Inputs.API).equals(ApiKind.FUNCTION.label());
    boolean needsFolder = !isFunction && !all.containsKey(Inputs.IMAGE);
    all.putIfAbsent(Inputs.FUNCTION_ZIP, zip.toString());
    all.putIfAbsent(Inputs.API_FUNCTION_ZIP, isFunction ? apiZip.toString() : ABSENT);
    all.putIfAbsent(Inputs.IMAGE_DIRECTORY, needsFolder ? image.toString() : ABSENT);
    if (stage.needsMailSender()) {
      all.putIfAbsent(Inputs.MAIL_FROM, MAIL_FROM);
    }
    return of(all);
  }

  /** Returns the inputs of a stage, with an API that runs as a function. */
  static Inputs function(Stage stage) throws IOException {
    return inputs(stage, Inputs.API, ApiKind.FUNCTION.label());
  }

  /** Returns the inputs in a context. */
  static Inputs of(Map<String, Object> context) {
    return Inputs.of(new App(AppProps.builder().context(context).build()).getNode());
  }
}
