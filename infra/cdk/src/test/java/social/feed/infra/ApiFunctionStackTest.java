package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stacks of an API that runs as a function. */
class ApiFunctionStackTest {
  private static final String FUNCTION = "AWS::Lambda::Function";

  private static Synthesized dev;
  private static Synthesized prod;

  @BeforeAll
  static void synthesize() throws IOException {
    dev = Synthesized.withFunction(Stage.DEV);
    prod = Synthesized.withFunction(Stage.PROD);
  }

  /** The scripts read the same file. An input {@code api=…} replaces it. */
  @Test
  void stage_choosesHowTheApiRuns() throws IOException {
    var json = new ObjectMapper();
    var context =
        json.convertValue(
            json.readTree(Path.of("cdk.json").toFile()).required("context"),
            new TypeReference<TreeMap<String, Object>>() {});
    var standIns = StandIns.function(Stage.DEV);
    var service = StandIns.inputs(Stage.PROD);
    context.put("functionZip", standIns.functionZip().toString());
    context.put("apiFunctionZip", standIns.api().functionZip().toString());
    context.put("imageDirectory", service.api().imageDirectory().toString());
    context.put("mailFrom", StandIns.MAIL_FROM);

    assertThat(kind(context)).isEqualTo(ApiKind.FUNCTION);
    context.put("stage", "prod");
    assertThat(kind(context)).isEqualTo(ApiKind.SERVICE);
    context.put("api", "function");
    assertThat(kind(context)).isEqualTo(ApiKind.FUNCTION);
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> ApiKind.named("lambda"))
        .withMessageContaining("api must be one of function, service, not lambda");
  }

  private static ApiKind kind(Map<String, Object> context) {
    return StandIns.of(context).api().kind();
  }

  @Test
  void inputs_withoutThePackageOfTheApi_throwWithItsPath() {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(
            () ->
                StandIns.inputs(
                    Stage.DEV,
                    ApiInputs.API,
                    ApiKind.FUNCTION.label(),
                    ApiInputs.FUNCTION_ZIP,
                    "absent.zip"))
        .withMessageContaining("apiFunctionZip")
        .withMessageContaining("absent.zip");
  }

  /** Each of these would cost by the hour. */
  @Test
  void stack_hasNoNetworkBalancerOrTasks() {
    var types = new TreeSet<String>();
    for (var resource : dev.json("api").required("Resources")) {
      types.add(resource.required("Type").textValue());
    }

    assertThat(types)
        .isNotEmpty()
        .noneMatch(type -> type.matches("AWS::(EC2|ECS|ElasticLoadBalancing.*|ApiGateway)::.*"));
    assertThat(dev.only("api", FUNCTION).has("VpcConfig")).isFalse();
  }

  @Test
  void function_hasASnapshot_andIsCalledByItsAlias() {
    for (var stacks : List.of(dev, prod)) {
      var function = stacks.only("api", FUNCTION);
      assertThat(function.at("/SnapStart/ApplyOn").textValue()).isEqualTo("PublishedVersions");
      assertThat(function.required("Handler").textValue()).isEqualTo(ApiFunctionResource.HANDLER);
      assertThat(function.required("Runtime").textValue()).isEqualTo("java25");
      assertThat(function.at("/LoggingConfig/LogFormat").textValue()).isEqualTo("JSON");
      assertThat(function.required("Timeout").intValue()).isLessThan(30);
      var alias = stacks.only("api", "AWS::Lambda::Alias");
      assertThat(alias.required("Name").textValue()).isEqualTo(ApiFunctionResource.ALIAS);
      assertThat(alias.at("/FunctionVersion/Fn::GetAtt/1").textValue()).isEqualTo("Version");
      var integration = stacks.only("api", "AWS::ApiGatewayV2::Integration");
      assertThat(integration.at("/IntegrationUri/Ref").textValue()).startsWith("ApiAlias");
      assertThat(integration.required("PayloadFormatVersion").textValue()).isEqualTo("2.0");
    }
  }

  @Test
  void concurrency_isReservedWhereAnAccountCan() {
    assertThat(dev.only("api", FUNCTION).has("ReservedConcurrentExecutions")).isFalse();
    assertThat(prod.only("api", FUNCTION).required("ReservedConcurrentExecutions").intValue())
        .isEqualTo(Stage.PROD.apiConcurrency());
  }

  @Test
  void gateway_acceptsTokensOfMembersAndOperatorsOnly_andLimitsTheRate() {
    var route = dev.only("api", "AWS::ApiGatewayV2::Route");
    assertThat(route.required("RouteKey").textValue()).isEqualTo("ANY /v1/{proxy+}");
    assertThat(route.required("AuthorizationType").textValue()).isEqualTo("JWT");
    assertThat(texts(route.required("AuthorizationScopes")))
        .containsExactly(UserPoolResource.SCOPE, UserPoolResource.OPERATOR_SCOPE);
    var variables = dev.only("api", FUNCTION).at("/Environment/Variables");
    assertThat(dev.only("api", "AWS::ApiGatewayV2::Authorizer").at("/JwtConfiguration/Audience"))
        .containsExactly(
            variables.required("FEED_AUTH_AUDIENCE"),
            variables.required("FEED_AUTH_OPERATOR_AUDIENCE"));
    var settings = dev.only("api", "AWS::ApiGatewayV2::Stage").required("DefaultRouteSettings");
    assertThat(settings.required("ThrottlingRateLimit").intValue()).isEqualTo(50);
    assertThat(settings.required("ThrottlingBurstLimit").intValue()).isEqualTo(100);
  }

  @Test
  void rights_areThoseOfTheApi_itsSecretAndItsLog() {
    var actions = new TreeSet<String>();
    var policy = dev.only("api", "AWS::IAM::ManagedPolicy");
    for (var statement : policy.at("/PolicyDocument/Statement")) {
      texts(statement.required("Action")).forEach(actions::add);
      assertThat(texts(statement.required("Resource"))).doesNotContain("*");
    }

    var expected = new TreeSet<>(TableAccess.OF_API.onTable());
    expected.addAll(
        List.of(
            "dynamodb:Query",
            "secretsmanager:GetSecretValue",
            "logs:CreateLogStream",
            "logs:PutLogEvents"));
    assertThat(actions).isEqualTo(expected);
    assertThat(dev.all("api", "AWS::IAM::Policy")).isEmpty();
  }

  /** Everyone who may read the function sees its variables. */
  @Test
  void variables_nameTheSecret_andDoNotHoldIt() throws IOException {
    var variables = dev.only("api", FUNCTION).at("/Environment/Variables");
    assertThat(variables.at("/FEED_FUNCTION_CURSOR_SECRET_ARN/Ref").textValue())
        .startsWith("ApiCursorSecret");
    assertThat(variables.toString()).doesNotContain("resolve:secretsmanager");
    var rotated =
        Synthesized.of(
            "function-options",
            Stage.DEV,
            ApiInputs.API,
            ApiKind.FUNCTION.label(),
            ApiInputs.CORS_ORIGINS,
            "https://app.example.com",
            ApiInputs.CURSOR_ROTATION,
            "sign");
    var sign = rotated.only("api", FUNCTION).at("/Environment/Variables");
    assertThat(sign.required("FEED_FUNCTION_CURSOR_SIGNS").textValue()).isEqualTo("AWSPENDING");
    assertThat(sign.required("FEED_FUNCTION_CURSOR_ACCEPTS").textValue()).isEqualTo("AWSCURRENT");
    assertThat(sign.required("FEED_CORS_ORIGINS").textValue()).isEqualTo("https://app.example.com");
    assertThat(rotated.all("api", "AWS::ApiGatewayV2::Route"))
        .extracting(route -> route.required("RouteKey").textValue())
        .containsExactlyInAnyOrder("ANY /v1/{proxy+}", "OPTIONS /v1/{proxy+}");
  }

  @Test
  void log_isKeptAsLongAsTheStageSays() {
    for (var log : dev.all("api", "AWS::Logs::LogGroup")) {
      assertThat(log.required("RetentionInDays").intValue()).isEqualTo(7);
    }
    assertThat(dev.all("api", "AWS::Logs::LogGroup")).hasSize(2);
  }

  @Test
  void alarms_areThoseOfTheService_withTheFunctionInPlaceOfTasks() {
    var ofService = alarms(Synthesized.of(Stage.DEV));
    var ofFunction = alarms(dev);

    var expected = new TreeSet<>(ofService);
    expected.removeAll(List.of("NoHealthyTasks", "StreamErrors", "TaskMemory", "TaskRestarts"));
    expected.addAll(List.of("FunctionErrors", "FunctionThrottles"));
    assertThat(ofFunction).isEqualTo(expected);
  }

  /**
   * CloudFormation refuses to remove an export that another stack imports, and the stack of the
   * export is deployed first. So a value that only one kind of API exports would keep a stage from
   * changing to the other.
   */
  @Test
  void exports_areThoseOfAnApiAsAService() {
    var service = Synthesized.of(Stage.DEV);
    for (var part : List.of("data", "stream", "api")) {
      assertThat(exports(dev, part)).as(part).isEqualTo(exports(service, part));
    }
    assertThat(exports(dev, "stream")).isNotEmpty();
    assertThat(dev.all("api", "AWS::SSM::Parameter"))
        .extracting(parameter -> parameter.required("Name").textValue())
        .containsExactly("/feed/dev/api-function");
  }

  private static TreeSet<String> exports(Synthesized stacks, String part) {
    var names = new TreeSet<String>();
    for (var output : stacks.json(part).path("Outputs")) {
      if (output.has("Export")) {
        names.add(output.at("/Export/Name").toString());
      }
    }
    return names;
  }

  @Test
  void release_isShiftedInProduction() {
    assertThat(dev.all("api", "AWS::CodeDeploy::DeploymentGroup")).isEmpty();
    var group = prod.only("api", "AWS::CodeDeploy::DeploymentGroup");
    assertThat(group.at("/AutoRollbackConfiguration/Enabled").booleanValue()).isTrue();
    assertThat(group.at("/AlarmConfiguration/Alarms")).hasSize(2);
  }

  /** Responses of the version to be repaired are counted as well. */
  @Test
  void repair_isNotEndedByResponses() throws IOException {
    var repair =
        Synthesized.of(
            "repair", Stage.PROD, ApiInputs.API, ApiKind.FUNCTION.label(), Inputs.REPAIR, "true");

    assertThat(repair.only("api", "AWS::CloudWatch::Alarm").required("MetricName").textValue())
        .isEqualTo("Errors");
    assertThat(
            repair.only("api", "AWS::CodeDeploy::DeploymentGroup").at("/AlarmConfiguration/Alarms"))
        .hasSize(1);
  }

  /** A problem with 500 is a response of the function, and no error of the call. */
  @Test
  void release_isEndedByErrorsOfTheAlias_andByResponsesOfTheGateway() {
    var metrics = new TreeSet<String>();
    for (var alarm : prod.all("api", "AWS::CloudWatch::Alarm")) {
      alarm.findValues("MetricName").forEach(name -> metrics.add(name.textValue()));
      assertThat(alarm.has("AlarmActions")).isFalse();
    }
    assertThat(metrics).containsExactly("5xx", "Count", "Errors");
    var responses =
        prod.all("api", "AWS::CloudWatch::Alarm").stream()
            .filter(alarm -> alarm.has("Metrics"))
            .findFirst()
            .orElseThrow();
    assertThat(responses.findValues("Expression"))
        .extracting(JsonNode::textValue)
        .containsExactly("IF(FILL(errors,0)>=3,100*FILL(errors,0)/requests,0)");
    assertThat(responses.required("Threshold").intValue()).isEqualTo(1);
    assertThat(
            prod.all("api", "AWS::CloudWatch::Alarm").stream()
                .filter(alarm -> alarm.has("Dimensions"))
                .findFirst()
                .orElseThrow()
                .required("Dimensions")
                .findValues("Value"))
        .contains(prod.only("api", "AWS::Lambda::Alias").required("FunctionVersion"));
    assertThat(responses.findValues("Dimensions"))
        .allSatisfy(of -> assertThat(of.at("/0/Value/Ref").textValue()).startsWith("Gateway"));
  }

  /**
   * The logical id of a replaced resource stays. So a version must name what its snapshot has read:
   * CloudFormation replaces a version whose description changes.
   */
  @Test
  void version_namesTheResourcesOfItsVariables() {
    var description = prod.only("api", "AWS::Lambda::Version").required("Description").toString();
    var variables = prod.only("api", FUNCTION).at("/Environment/Variables");
    var resources = new TreeSet<String>();
    for (var value : variables) {
      texts(value.findPath("Fn::GetAtt")).forEach(resources::add);
      texts(value.findPath("Ref")).forEach(resources::add);
    }
    resources.removeIf(name -> name.startsWith("SsmParameter") || !name.matches("[A-Z]\\w+"));
    resources.remove("ProviderURL");

    assertThat(resources).hasSize(4);
    assertThat(resources).allSatisfy(name -> assertThat(description).contains(name));
  }

  /** A rollback needs the previous version. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void version_isKeptAtTheNextDeployment(Stage stage) {
    var stacks = stage == Stage.DEV ? dev : prod;
    stacks
        .template("api")
        .hasResource(
            "AWS::Lambda::Version",
            Map.of("DeletionPolicy", "RetainExceptOnCreate", "UpdateReplacePolicy", "Retain"));
  }

  /** An instance knows the requests that it serves itself only, so a caller may send more. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void caller_hasAFifthOfTheRequestsOfTheGatewayAtMost(Stage stage) {
    var stacks = stage == Stage.DEV ? dev : prod;
    var variables = stacks.only("api", FUNCTION).at("/Environment/Variables");
    var gateway = stacks.only("api", "AWS::ApiGatewayV2::Stage").required("DefaultRouteSettings");

    assertThat(5 * variables.required("FEED_LIMITS_RATE_PER_SECOND").asInt())
        .isPositive()
        .isLessThanOrEqualTo(gateway.required("ThrottlingRateLimit").intValue());
    assertThat(5 * variables.required("FEED_LIMITS_RATE_BURST").asInt())
        .isPositive()
        .isLessThanOrEqualTo(gateway.required("ThrottlingBurstLimit").intValue());
  }

  @Test
  void outputs_haveTheAddressesThatTheScriptsRead() {
    var outputs = dev.json("api").required("Outputs");
    for (var name :
        List.of("Url", "StreamUrl", "Function", "CursorSecretArn", "Issuer", "ClientId")) {
      assertThat(outputs.has(name)).as(name).isTrue();
    }
    assertThat(outputs.at("/Url/Value")).isEqualTo(outputs.at("/StreamUrl/Value"));
  }

  private static TreeSet<String> alarms(Synthesized stacks) {
    var names = new TreeSet<String>();
    for (var resource : stacks.json("watch").required("Resources").properties()) {
      if (resource.getValue().required("Type").textValue().equals("AWS::CloudWatch::Alarm")) {
        names.add(resource.getKey().replaceFirst("[0-9A-F]{8}$", ""));
      }
    }
    return names;
  }

  private static List<String> texts(JsonNode node) {
    if (!node.isArray()) {
      return List.of(node.isTextual() ? node.textValue() : node.toString());
    }
    var all = new ArrayList<String>();
    StreamSupport.stream(node.spliterator(), false).forEach(it -> all.addAll(texts(it)));
    return all;
  }
}
