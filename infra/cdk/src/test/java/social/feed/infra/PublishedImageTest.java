package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a stage can run an image that was built before, and go back to an earlier one. */
class PublishedImageTest {
  private static final String DIGEST = "sha256:" + "0f".repeat(32);
  private static final String IN_ECR = "210987654321.dkr.ecr.eu-west-1.amazonaws.com/feed/api";

  @Test
  void image_ofARepository_isPulledByItsDigest() throws IOException {
    var stacks =
        Synthesized.of("published-image", Stage.PROD, ApiInputs.IMAGE, IN_ECR + "@" + DIGEST);
    var image = image(stacks);

    assertThat(image.toString())
        .contains("210987654321.dkr.ecr.eu-west-1.", "/feed/api@" + DIGEST)
        .doesNotContain("cdk-");
    assertThat(stacks.json("api").at("/Outputs/Image/Value")).isEqualTo(image);
  }

  /** Only this repository can be read by the tasks. */
  @Test
  void image_ofARepository_canBePulled() throws IOException {
    var rights =
        Synthesized.of("published-image", Stage.PROD, ApiInputs.IMAGE, IN_ECR + "@" + DIGEST)
            .all("api", "AWS::IAM::Policy")
            .stream()
            .filter(policy -> policy.toString().contains("ecr:BatchGetImage"))
            .toList();

    assertThat(rights)
        .singleElement()
        .asString()
        .contains(":ecr:eu-west-1:210987654321:repository/feed/api");
  }

  /** Nothing is built, so the folder of the image is not read. */
  @Test
  void image_ofAnotherRegistry_isTheName() throws IOException {
    var name = "registry.example.com/feed@" + DIGEST;

    assertThat(
            image(Synthesized.of("published-image", Stage.DEV, ApiInputs.IMAGE, name)).textValue())
        .isEqualTo(name);
  }

  /** CloudFormation deregisters a definition that it replaces, unless it is kept. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void definitions_areKept(Stage stage) {
    var resources = Synthesized.of(stage).json("api").required("Resources");

    assertThat(resources)
        .filteredOn(it -> it.required("Type").textValue().equals("AWS::ECS::TaskDefinition"))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.required("UpdateReplacePolicy").textValue()).isEqualTo("Retain");
              assertThat(it.required("DeletionPolicy").textValue()).isEqualTo("Delete");
            });
  }

  private static JsonNode image(Synthesized stacks) {
    return stacks.only("api", "AWS::ECS::TaskDefinition").at("/ContainerDefinitions/0/Image");
  }
}
