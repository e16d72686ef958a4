package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the platform can switch to another table, by stacks that are deployed one after the
 * other.
 */
class ExistingTableTest {
  private static final String NAME = "feed-restored";
  private static final String LABEL = "2026-11-21T10:00:00.000";

  /** The types that CloudFormation replaces, under another name, when the table changes. */
  private static final Set<String> REPLACED =
      Set.of("AWS::DynamoDB::Table", "AWS::Lambda::EventSourceMapping");

  private static Synthesized restored;

  @BeforeAll
  static void synthesize() throws IOException {
    restored =
        Synthesized.of(
            "other-table",
            Stage.PROD,
            ExistingTable.TABLE_NAME,
            NAME,
            ExistingTable.STREAM_LABEL,
            LABEL);
  }

  /** A value that one stack exports and another imports cannot change or be removed. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void exports_containNoResourceThatIsReplacedWithTheTable(Stage stage) {
    for (var part : Synthesized.of(stage).parts()) {
      assertThat(exported(Synthesized.of(stage).json(part)))
          .as(part)
          .doesNotContainAnyElementsOf(REPLACED);
    }
  }

  /** The search finds an export. */
  @Test
  void exports_ofQueues_areFound() {
    assertThat(exported(Synthesized.of(Stage.PROD).json("data"))).contains("AWS::SQS::Queue");
  }

  /** The types of the resources whose values a template exports. */
  private static List<String> exported(JsonNode template) {
    var types = new ArrayList<String>();
    for (var output : template.path("Outputs")) {
      if (output.has("Export")) {
        var value = output.required("Value");
        var name = value.has("Ref") ? value.required("Ref") : value.at("/Fn::GetAtt/0");
        types.add(
            template.required("Resources").required(name.textValue()).required("Type").textValue());
      }
    }
    return types;
  }

  @Test
  void dataStack_withAnotherTable_releasesItsOwnAndPublishesTheOther() {
    assertThat(restored.all("data", "AWS::DynamoDB::Table")).isEmpty();
    assertThat(published(restored, SsmParameter.TABLE_NAME).textValue()).isEqualTo(NAME);
    assertThat(published(restored, SsmParameter.TABLE_STREAM).at("/Fn::Join/1").toString())
        .contains(":dynamodb:", "{\"Ref\":\"AWS::AccountId\"}")
        .endsWith(":table/" + NAME + "/stream/" + LABEL + "\"]");
    assertThat(restored.json("data").at("/Outputs/TableName/Value").textValue()).isEqualTo(NAME);
  }

  @Test
  void dataStack_withoutAnotherTable_publishesItsOwn() {
    var own = Synthesized.of(Stage.PROD);

    assertThat(published(own, SsmParameter.TABLE_NAME).required("Ref").textValue())
        .startsWith("Table");
    assertThat(published(own, SsmParameter.TABLE_STREAM).at("/Fn::GetAtt/1").textValue())
        .isEqualTo("StreamArn");
  }

  /** These stacks read the parameter, so that the table's stack can be deployed first. */
  @ParameterizedTest
  @ValueSource(strings = {"api", "watch"})
  void otherStacks_areEqualForAnyTable(String part) {
    assertThat(restored.json(part)).isEqualTo(Synthesized.of(Stage.PROD).json(part));
  }

  /** A version keeps the variables that it was published with. */
  @Test
  void functions_forAnotherTable_haveOtherVersions() {
    var own = Synthesized.of(Stage.PROD);

    assertThat(versions(restored)).hasSize(2).doesNotContainAnyElementsOf(versions(own));
    assertThat(withoutVersions(restored)).isEqualTo(withoutVersions(own));
  }

  private static List<String> versions(Synthesized stacks) {
    return stacks.json("stream").required("Resources").properties().stream()
        .filter(
            resource ->
                resource.getValue().required("Type").textValue().equals("AWS::Lambda::Version"))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static String withoutVersions(Synthesized stacks) {
    var text = stacks.json("stream").toString();
    for (var version : versions(stacks)) {
      text = text.replace(version, "VERSION");
    }
    return text;
  }

  private static JsonNode published(Synthesized stacks, SsmParameter value) {
    return stacks.all("data", "AWS::SSM::Parameter").stream()
        .filter(it -> it.required("Name").textValue().equals(value.parameter(Stage.PROD)))
        .map(it -> it.required("Value"))
        .findFirst()
        .orElseThrow();
  }

  /** An earlier stack publishes every parameter that a stack reads. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void parameters_thatAreRead_arePublished(Stage stage) throws IOException {
    var ofService = parameters(Synthesized.of(stage));
    var ofFunction = parameters(Synthesized.withFunction(stage));

    assertThat(ofFunction).contains(SsmParameter.API_FUNCTION.parameter(stage));
    ofService.addAll(ofFunction);
    for (ApiKind api : ApiKind.values()) {
      ofService.addAll(
          parameters(
              Synthesized.of(
                  "media-read-" + api.label(),
                  stage,
                  ApiInputs.API,
                  api.label(),
                  MediaKind.MEDIA,
                  MediaKind.S3.label())));
      ofService.addAll(parameters(MediaDistributionTest.stacks(stage, api)));
      ofService.addAll(parameters(SearchDomainTest.stacks(stage, api)));
    }
    ofService.addAll(parameters(SinksTest.stacks("sinks-" + stage.label(), stage)));
    assertThat(ofService).hasSize(SsmParameter.values().length);
  }

  /** Returns the parameters that a stack reads, which are those that a stack publishes. */
  private static Set<String> parameters(Synthesized stacks) {
    var read = new ArrayList<String>();
    var published = new ArrayList<String>();
    for (var part : stacks.parts()) {
      stacks
          .all(part, "AWS::SSM::Parameter")
          .forEach(it -> published.add(it.required("Name").textValue()));
      for (var parameter : stacks.json(part).path("Parameters")) {
        var name = parameter.required("Default").textValue();
        if (!name.startsWith("/cdk-bootstrap/")) {
          assertThat(parameter.required("Type").textValue())
              .isEqualTo("AWS::SSM::Parameter::Value<String>");
          read.add(name);
        }
      }
    }

    assertThat(published).doesNotHaveDuplicates();
    assertThat(Set.copyOf(read)).isEqualTo(Set.copyOf(published));
    return new TreeSet<>(read);
  }
}
