package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The domain of the search index, and who may send it what. */
class SearchDomainTest {
  private static final String LAYER = "AWS::Lambda::LayerVersion";
  private static final String FUNCTION = "AWS::Lambda::Function";

  /** Returns inputs with a domain. */
  static Inputs inputs(Stage stage, ApiKind api) throws IOException {
    return StandIns.inputs(
        stage, ApiInputs.API, api.label(), SearchInputs.SEARCH, SearchInputs.OPENSEARCH);
  }

  /** Returns the templates of a stage with a domain. */
  static Synthesized stacks(Stage stage, ApiKind api) throws IOException {
    return Synthesized.of(
        "search-%s-%s".formatted(stage.label(), api.label()),
        stage,
        ApiInputs.API,
        api.label(),
        SearchInputs.SEARCH,
        SearchInputs.OPENSEARCH);
  }

  private static JsonNode domain(Synthesized stacks) {
    return stacks.only("data", "AWS::OpenSearchService::Domain");
  }

  @ParameterizedTest
  @EnumSource(Stage.class)
  void stages_haveNoSearchByDefault(Stage stage) throws IOException {
    for (var stacks : List.of(Synthesized.of(stage), Synthesized.withFunction(stage))) {
      for (var part : stacks.parts()) {
        assertThat(stacks.json(part).toString().toLowerCase(Locale.ROOT))
            .doesNotContain("opensearch", "feed_search", "layerversion", "es:esh", "search-url");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Stage.class)
  void domain_isEncryptedOnDiskAndOnEachWay(Stage stage) throws IOException {
    var domain = domain(stacks(stage, ApiKind.FUNCTION));

    assertThat(domain.at("/EncryptionAtRestOptions/Enabled").booleanValue()).isTrue();
    assertThat(domain.at("/NodeToNodeEncryptionOptions/Enabled").booleanValue()).isTrue();
    assertThat(domain.at("/DomainEndpointOptions/EnforceHTTPS").booleanValue()).isTrue();
    assertThat(domain.at("/DomainEndpointOptions/TLSSecurityPolicy").textValue())
        .startsWith("Policy-Min-TLS-1-2");
    int nodes = domain.at("/ClusterConfig/InstanceCount").intValue();
    assertThat(nodes).isEqualTo(stage == Stage.PROD ? 2 : 1);
    assertThat(domain.at("/ClusterConfig/ZoneAwarenessEnabled").booleanValue())
        .isEqualTo(nodes > 1);
  }

  /** It names the account, so a request needs the right of a role as well. */
  @Test
  void domain_admitsNoOneOutsideOfTheAccount() throws IOException {
    var policy = domain(stacks(Stage.PROD, ApiKind.SERVICE)).required("AccessPolicies");
    var statements = policy.required("Statement");

    assertThat(statements).hasSize(1);
    assertThat(statements.get(0).required("Effect").textValue()).isEqualTo("Allow");
    assertThat(statements.get(0).required("Action").textValue()).isEqualTo("es:ESHttp*");
    assertThat(statements.get(0).at("/Principal/AWS").toString())
        .contains("AWS::AccountId", ":root");
    assertThat(statements.get(0).required("Resource").toString()).contains("domain/feed-prod/*");
  }

  private static Stream<JsonNode> alarms(Synthesized stacks) {
    return stacks.all("watch", "AWS::CloudWatch::Alarm").stream()
        .filter(alarm -> alarm.path("Namespace").asText().equals("AWS/ES"));
  }

  @ParameterizedTest
  @EnumSource(Stage.class)
  void alarms_ofTheDomain_areOfItsNodesDiskAndHeap(Stage stage) throws IOException {
    var stacks = stacks(stage, ApiKind.FUNCTION);
    var page = Files.readString(Path.of("..", "..", "docs", "operations.md"));

    assertThat(alarms(stacks))
        .extracting(
            alarm -> alarm.required("MetricName").textValue(),
            alarm -> alarm.required("Statistic").textValue(),
            alarm -> alarm.required("Threshold").intValue(),
            alarm -> alarm.required("ComparisonOperator").textValue())
        .containsExactlyInAnyOrder(
            tuple("ClusterStatus.red", "Maximum", 1, "GreaterThanOrEqualToThreshold"),
            tuple("FreeStorageSpace", "Minimum", 2_560, "LessThanThreshold"),
            tuple("JVMMemoryPressure", "Maximum", 92, "GreaterThanOrEqualToThreshold"));
    assertThat(alarms(stacks))
        .allSatisfy(
            alarm -> {
              assertThat(alarm.required("Dimensions"))
                  .extracting(dimension -> dimension.required("Name").textValue())
                  .containsExactlyInAnyOrder("ClientId", "DomainName");
              assertThat(alarm.required("Dimensions").toString())
                  .contains(domain(stacks).required("DomainName").textValue());
              assertThat(alarm.required("AlarmActions")).hasSize(1);
              assertThat(alarm.required("AlarmDescription").textValue())
                  .endsWith("See docs/operations.md#alarms-of-the-search.");
            });
    assertThat(page)
        .contains("### Alarms of the search\n", "| `SearchRed` |", "| `SearchDisk` |")
        .contains("| `SearchMemory` |");
    assertThat(alarms(Synthesized.of(stage))).isEmpty();
  }

  private static Stream<JsonNode> statements(Synthesized stacks, String part) {
    return Stream.of("AWS::IAM::ManagedPolicy", "AWS::IAM::Policy")
        .flatMap(type -> stacks.all(part, type).stream())
        .flatMap(
            policy ->
                StreamSupport.stream(policy.at("/PolicyDocument/Statement").spliterator(), false))
        .filter(statement -> statement.toString().contains("es:ESHttp"));
  }

  private static TreeSet<String> actions(JsonNode statement) {
    var action = statement.required("Action");
    var actions = new TreeSet<String>();
    if (action.isTextual()) {
      actions.add(action.textValue());
    } else {
      action.forEach(one -> actions.add(one.textValue()));
    }
    return actions;
  }

  @ParameterizedTest
  @EnumSource(ApiKind.class)
  void api_maySearch_andNothingElse(ApiKind api) throws IOException {
    assertThat(statements(stacks(Stage.PROD, api), "api"))
        .singleElement()
        .satisfies(
            statement -> {
              assertThat(actions(statement)).containsExactly("es:ESHttpPost");
              assertThat(statement.required("Resource"))
                  .hasSize(2)
                  .allMatch(path -> path.toString().matches(".*/feed-prod/feed-[a-z]*/_search.*"));
            });
  }

  @Test
  void sink_mayWriteTheIndexes_andDeleteNone() throws IOException {
    assertThat(statements(stacks(Stage.PROD, ApiKind.FUNCTION), "stream"))
        .filteredOn(statement -> !isOfLanes(statement))
        .singleElement()
        .satisfies(
            statement -> {
              assertThat(actions(statement))
                  .containsExactly(
                      "es:ESHttpGet", "es:ESHttpHead", "es:ESHttpPost", "es:ESHttpPut");
              assertThat(statement.required("Resource").toString())
                  .contains("domain/feed-prod/feed-*")
                  .doesNotContain("domain/feed-prod/*");
            });
  }

  private static boolean isOfLanes(JsonNode statement) {
    return statement.required("Resource").toString().contains("/_mget");
  }

  /** At the end of an erasure. They write through the sink. */
  @Test
  void lanes_mayAskForEntries_andNothingElse() throws IOException {
    assertThat(statements(stacks(Stage.PROD, ApiKind.FUNCTION), "stream"))
        .filteredOn(SearchDomainTest::isOfLanes)
        .singleElement()
        .satisfies(
            statement -> {
              assertThat(actions(statement)).containsExactly("es:ESHttpPost");
              assertThat(statement.required("Resource"))
                  .hasSize(3)
                  .allMatch(
                      path ->
                          path.toString().matches(".*/feed-[a-z,-]*/_(mget|refresh|search)[^*]*"));
            });
  }

  @ParameterizedTest
  @EnumSource(ApiKind.class)
  void apiAndFunctions_haveTheAddress(ApiKind api) throws IOException {
    var stacks = stacks(Stage.DEV, api);

    assertThat(stacks.all("stream", FUNCTION))
        .allSatisfy(
            function -> {
              var variables = function.at("/Environment/Variables");
              assertThat(variables.at("/FEED_SEARCH_URL/Ref").textValue()).contains("searchurl");
              assertThat(variables.required("FEED_SEARCH_REGION").textValue())
                  .isEqualTo("eu-central-1");
              assertThat(variables.has("FEED_SINKS_QUEUE_URL")).isTrue();
            });
    assertThat(stacks.json("api").toString()).contains("FEED_SEARCH_URL", "FEED_SEARCH_REGION");
  }

  /** The packages of the functions are the same with and without search. */
  @Test
  void libraries_areALayerOfWhatNeedsThem() throws IOException {
    var stacks = stacks(Stage.DEV, ApiKind.FUNCTION);

    assertThat(stacks.all("stream", LAYER)).hasSize(1);
    assertThat(stacks.all("stream", FUNCTION))
        .hasSize(3)
        .allSatisfy(function -> assertThat(function.required("Layers")).hasSize(1));
    assertThat(stacks.only("api", FUNCTION).required("Layers")).hasSize(1);
    assertThat(stacks(Stage.DEV, ApiKind.SERVICE).all("api", LAYER)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "search|elastic|search must be none or opensearch, not elastic",
        "searchLayerZip|absent.zip|searchLayerZip must be the path of the libraries of search"
      })
  void input_thatIsNone_isRejected(String input, String value, String message) {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(
            () ->
                StandIns.inputs(
                    Stage.DEV, SearchInputs.SEARCH, SearchInputs.OPENSEARCH, input, value))
        .withMessageContaining(message);
  }
}
