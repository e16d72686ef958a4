package social.feed.infra;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

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
      "The API has one secret, and a new one invalidates all cursors in use. It protects positions,"
          + " not access."),
  ENVIRONMENT_HOLDS_NO_SECRETS(
      "api/Tasks/Definition/Resource",
      "AwsSolutions-ECS2",
      "Names and addresses only. The one secret comes from Secrets Manager."),
  LOG_ROLE_IS_THE_ACCOUNTS(
      "api/Streams/Api/CloudWatchRole/Resource",
      "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
      "One role of an account writes the logs of all its REST APIs. AWS provides this policy for"
          + " it."),
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
  KEYS_OF_FAILED_BATCHES_AS_AN_IMPORT(
      "stream/Rights/Resource",
      "AwsSolutions-IAM5[Resource::feed-STAGE-data:ExportsOutputFnGetAttFailedBatches983C92ECArnCC01FDBE/*]",
      "The same violation, as an import in the template.");

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
    return Arrays.stream(values())
        .filter(suppression -> suppression.stages.contains(stage))
        .map(suppression -> "/feed-STAGE-%s %s".formatted(suppression.path, suppression.rule))
        .map(finding -> finding.replace("STAGE", stage.label()))
        .toList();
  }
}
