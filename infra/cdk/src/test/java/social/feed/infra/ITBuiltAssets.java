package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;

/**
 * Tests that the stacks deploy the artifacts that the other modules build, from the paths in {@code
 * cdk.json}. The modules build them in the package phase.
 */
class ITBuiltAssets {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static Path folder;
  private static Inputs inputs;

  @BeforeAll
  static void synthesize(@TempDir Path temporary) throws IOException {
    folder = temporary;
    var context = JSON.readTree(Path.of("cdk.json").toFile()).required("context");
    inputs =
        StandIns.inputs(
            Stage.DEV,
            Inputs.FUNCTION_ZIP,
            context.required(Inputs.FUNCTION_ZIP).textValue(),
            ApiInputs.FUNCTION_ZIP,
            context.required(ApiInputs.FUNCTION_ZIP).textValue(),
            ApiInputs.IMAGE_DIRECTORY,
            context.required(ApiInputs.IMAGE_DIRECTORY).textValue());
    var app = new App(AppProps.builder().outdir(folder.toString()).build());
    FeedStacks.in(app, inputs);
    app.synth();
  }

  @Test
  void function_isTheBuiltZip() throws IOException {
    var key = only("stream", "AWS::Lambda::Function").at("/Code/S3Key").textValue();

    assertThat(folder.resolve("asset." + key)).hasSameBinaryContentAs(inputs.functionZip());
  }

  /** The stacks name the class, and do not have it on their class path. */
  @Test
  void zipOfTheApi_hasTheHandlerOfTheFunction() throws IOException {
    var handler = ApiFunctionResource.HANDLER.replace('.', '/') + ".class";
    var names = new ArrayList<String>();
    try (var zip = new ZipFile(inputs.api().functionZip().toFile())) {
      var jar =
          zip.stream()
              .filter(entry -> entry.getName().startsWith("lib/feed-api-function-"))
              .findFirst()
              .orElseThrow();
      try (var classes = new ZipInputStream(zip.getInputStream(jar))) {
        for (var entry = classes.getNextEntry(); entry != null; entry = classes.getNextEntry()) {
          names.add(entry.getName());
        }
      }
    }

    assertThat(names).contains(handler);
  }

  @Test
  void image_isBuiltFromTheBuiltFolder() throws IOException {
    var container = only("api", "AWS::ECS::TaskDefinition").at("/ContainerDefinitions/0");
    var uri = container.required("Image").toString();
    var assets = JSON.readTree(folder.resolve("feed-dev-api.assets.json").toFile());
    var image = assets.required("dockerImages").properties().iterator().next();

    assertThat(uri).contains(image.getKey());
    var staged = folder.resolve(image.getValue().at("/source/directory").textValue());
    for (var name : new String[] {"Dockerfile", "start", "healthy", "rehearse", "requests"}) {
      assertThat(staged.resolve(name))
          .hasSameBinaryContentAs(inputs.api().imageDirectory().resolve(name));
      assertThat(Files.isExecutable(staged.resolve(name))).isEqualTo(!name.equals("Dockerfile"));
    }
    assertThat(staged.resolve("app")).isNotEmptyDirectory();
    assertThat(staged.resolve("lib")).isNotEmptyDirectory();
  }

  /** The values that the task definition repeats are those of the image. */
  @Test
  void task_matchesItsImage() throws IOException {
    var container = only("api", "AWS::ECS::TaskDefinition").at("/ContainerDefinitions/0");

    assertThat(Files.readAllLines(inputs.api().imageDirectory().resolve("Dockerfile")))
        .contains("USER " + container.required("User").textValue())
        .contains("EXPOSE " + container.at("/PortMappings/0/ContainerPort").intValue())
        .anyMatch(
            line ->
                line.startsWith("HEALTHCHECK ")
                    && line.endsWith(
                        "[\"" + container.at("/HealthCheck/Command/1").textValue() + "\"]"));
  }

  private static JsonNode only(String part, String type) throws IOException {
    var template = JSON.readTree(folder.resolve("feed-dev-" + part + ".template.json").toFile());
    for (var resource : template.required("Resources")) {
      if (resource.required("Type").textValue().equals(type)) {
        return resource.required("Properties");
      }
    }
    throw new AssertionError("No " + type + " in " + part);
  }
}
