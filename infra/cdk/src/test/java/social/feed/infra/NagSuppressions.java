package social.feed.infra;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The intended violations of rules, each with its reason. */
enum NagSuppressions {
  MFA_IS_THE_MEMBERS_CHOICE(
      "api/Members/Pool/Resource",
      "AwsSolutions-COG2",
      "A feed holds no data that justify a mandatory second factor. Members may enable one."),
  THREAT_PROTECTION_COSTS_BY_THE_MEMBER(
      "api/Members/Pool/Resource",
      "AwsSolutions-COG3",
      "It needs a more expensive plan of Cognito, which the account owner has to choose."),
  CURSOR_SECRET_STAYS(
      "api/Tasks/CursorSecret/Resource",
      "AwsSolutions-SMG4",
      "It is replaced by hand, in steps that keep the cursors in use valid. It protects positions,"
          + " not access."),
  ENVIRONMENT_HOLDS_NO_SECRETS(
      "api/Tasks/Definition/Resource",
      "AwsSolutions-ECS2",
      "Names and addresses only. The one secret comes from Secrets Manager."),
  FUNCTIONS_CURSOR_SECRET_STAYS(
      "api/Api/CursorSecret/Resource",
      "AwsSolutions-SMG4",
      "It is replaced by hand, in steps that keep the cursors in use valid. It protects positions,"
          + " not access."),
  LOG_ROLE_IS_THE_ACCOUNTS(
      "api/Streams/Api/CloudWatchRole/Resource",
      "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
      "One role of an account writes the logs of all its REST APIs. AWS provides this policy for"
          + " it."),
  PREFLIGHTS_HAVE_NO_TOKEN(
      "api/Gateway/OPTIONS--v1--{proxy+}/Resource",
      "AwsSolutions-APIG4",
      "A browser sends a preflight without the token, and its response holds no data."),
  STREAM_ROUTES_HAVE_NO_BODY(
      "api/Streams/Api/Resource",
      "AwsSolutions-APIG2",
      "Two routes without body and parameters. The API validates their only header."),
  FIREWALL_COSTS_BY_THE_RULE(
      "api/Streams/Api/DeploymentStage.v1/Resource",
      "AwsSolutions-APIG3",
      "The other gateway cannot have a firewall. Both accept only members' tokens, and the API"
          + " limits rates."),
  REGISTRY_TOKEN_HAS_NO_RESOURCE(
      "api/Tasks/ExecutionRole/DefaultPolicy/Resource",
      "AwsSolutions-IAM5[Resource::*]",
      "ecr:GetAuthorizationToken takes no resource. The rights to pull are limited to one"
          + " repository."),
  DEAD_LETTERS_ARE_THE_END(
      "data/DeadLetters/Resource",
      "AwsSolutions-SQS3",
      "This is the dead-letter queue itself. A message must stay in it however often it is"
          + " received."),
  DEV_IS_THROWN_AWAY(
      "data/Table",
      "AwsSolutions-DDB3",
      "Data of dev need no backup. The table of prod has one.",
      Stage.DEV),
  LIST_STREAMS_HAS_NO_RESOURCE(
      "stream/Rights/Resource",
      "AwsSolutions-IAM5[Resource::*]",
      "Lambda requires dynamodb:ListStreams, which takes no resource."),
  KEYS_OF_FAILED_BATCHES_ARE_LAMBDAS(
      "stream/Rights/Resource",
      "AwsSolutions-IAM5[Resource::<FailedBatches983C92EC.Arn>/*]",
      "Lambda names the objects. The bucket holds nothing else."),
  SHIFTING_COUNTS_IS_CODEDEPLOYS(
      "stream/CountsRelease/ServiceRole/Resource",
      "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]",
      "AWS provides this policy for the shift of an alias."),
  SHIFTING_EFFECTS_IS_CODEDEPLOYS(
      "stream/EffectsRelease/ServiceRole/Resource",
      "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]",
      "AWS provides this policy for the shift of an alias."),
  SHIFTING_THE_API_IS_CODEDEPLOYS(
      "api/Api/Release/ServiceRole/Resource",
      "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]",
      "AWS provides this policy for the shift of an alias.",
      Stage.PROD),
  KEYS_OF_FAILED_BATCHES_AS_AN_IMPORT(
      "stream/Rights/Resource",
      "AwsSolutions-IAM5[Resource::feed-STAGE-data:ExportsOutputFnGetAttFailedBatches983C92ECArnCC01FDBE/*]",
      "The same violation, as an import in the template.");

  private static final Set<NagSuppressions> PREFLIGHTS = EnumSet.of(PREFLIGHTS_HAVE_NO_TOKEN);

  /** Those of an API that runs as a function. */
  private static final Set<NagSuppressions> OF_FUNCTION =
      EnumSet.of(FUNCTIONS_CURSOR_SECRET_STAYS, SHIFTING_THE_API_IS_CODEDEPLOYS);

  /** Those of an API that runs as a service. */
  private static final Set<NagSuppressions> OF_SERVICE =
      EnumSet.of(
          CURSOR_SECRET_STAYS,
          ENVIRONMENT_HOLDS_NO_SECRETS,
          LOG_ROLE_IS_THE_ACCOUNTS,
          STREAM_ROUTES_HAVE_NO_BODY,
          FIREWALL_COSTS_BY_THE_RULE,
          REGISTRY_TOKEN_HAS_NO_RESOURCE);

  private final String path;
  private final String rule;
  private final Set<Stage> stages;

  NagSuppressions(String path, String rule, String reason, Stage... stages) {
    if (reason.isBlank()) {
      throw new IllegalArgumentException(rule + " has no reason");
    }
    this.path = path;
    this.rule = rule;
    this.stages = stages.length == 0 ? Set.of(Stage.values()) : Set.of(stages);
  }

  static List<String> of(Stage stage) {
    return of(
        stage,
        suppression -> !PREFLIGHTS.contains(suppression) && !OF_FUNCTION.contains(suppression));
  }

  /** Returns the violations of stacks whose API runs as a function. */
  static List<String> ofFunction(Stage stage) {
    return of(
        stage,
        suppression -> !PREFLIGHTS.contains(suppression) && !OF_SERVICE.contains(suppression));
  }

  /** Returns the violations of stacks that browser apps of other origins may call, in addition. */
  static List<String> ofBrowserApps(Stage stage) {
    return of(stage, PREFLIGHTS::contains);
  }

  private static List<String> of(Stage stage, Predicate<NagSuppressions> kind) {
    return Arrays.stream(values())
        .filter(kind)
        .filter(suppression -> suppression.stages.contains(stage))
        .map(suppression -> "/feed-STAGE-%s %s".formatted(suppression.path, suppression.rule))
        .map(finding -> finding.replace("STAGE", stage.label()))
        .toList();
  }
}
