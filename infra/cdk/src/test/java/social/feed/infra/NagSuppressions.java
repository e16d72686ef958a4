package social.feed.infra;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Breaches of rules that are meant, each with its reason. */
enum NagSuppressions {
  MFA_IS_THE_MEMBERS_CHOICE(
      "api/Members/Pool/Resource",
      "AwsSolutions-COG2",
      "A feed holds nothing that members would put up with a second factor for; they may have one."),
  THREAT_PROTECTION_COSTS_BY_THE_MEMBER(
      "api/Members/Pool/Resource",
      "AwsSolutions-COG3",
      "It needs a more expensive plan of Cognito, which the account owner has to choose."),
  CURSOR_SECRET_STAYS(
      "api/Tasks/CursorSecret/Resource",
      "AwsSolutions-SMG4",
      "The API knows one secret: a new one breaks every list that is being read. It protects positions,"
          + " not access."),
  ENVIRONMENT_HOLDS_NO_SECRETS(
      "api/Tasks/Definition/Resource",
      "AwsSolutions-ECS2",
      "Names and addresses only. The one secret comes from Secrets Manager."),
  LOG_ROLE_IS_THE_ACCOUNTS(
      "api/Streams/Api/CloudWatchRole/Resource",
      "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
      "One role of an account writes the logs of all its REST APIs. This is the policy that AWS has for it."),
  STREAM_ROUTES_HAVE_NO_BODY(
      "api/Streams/Api/Resource",
      "AwsSolutions-APIG2",
      "Two routes without body and parameters. The one header that they take the API checks itself."),
  FIREWALL_COSTS_BY_THE_RULE(
      "api/Streams/Api/DeploymentStage.v1/Resource",
      "AwsSolutions-APIG3",
      "The other gateway cannot have one. Both pass members' tokens only, and the API limits rates."),
  REGISTRY_TOKEN_HAS_NO_RESOURCE(
      "api/Tasks/ExecutionRole/DefaultPolicy/Resource",
      "AwsSolutions-IAM5[Resource::*]",
      "ecr:GetAuthorizationToken takes no resource. What it opens is limited to the one repository."),
  DEAD_LETTERS_ARE_THE_END(
      "data/DeadLetters/Resource",
      "AwsSolutions-SQS3",
      "It is the dead-letter queue itself. Reading a message twice must not move it."),
  DEV_IS_THROWN_AWAY(
      "data/Table",
      "AwsSolutions-DDB3",
      "Data of dev are not worth a backup. The table of prod has it.",
      Stage.DEV),
  LIST_STREAMS_HAS_NO_RESOURCE(
      "stream/Rights/Resource",
      "AwsSolutions-IAM5[Resource::*]",
      "Lambda asks for dynamodb:ListStreams, which takes no resource."),
  KEYS_OF_FAILED_BATCHES_ARE_LAMBDAS(
      "stream/Rights/Resource",
      "AwsSolutions-IAM5[Resource::<FailedBatches983C92EC.Arn>/*]",
      "Lambda names the objects. The bucket holds nothing else."),
  KEYS_OF_FAILED_BATCHES_AS_AN_IMPORT(
      "stream/Rights/Resource",
      "AwsSolutions-IAM5[Resource::feed-STAGE-data:ExportsOutputFnGetAttFailedBatches983C92ECArnCC01FDBE/*]",
      "The same, as it is written in the template.");

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
        .filter(excuse -> excuse.stages.contains(stage))
        .map(excuse -> "/feed-STAGE-%s %s".formatted(excuse.path, excuse.rule))
        .map(finding -> finding.replace("STAGE", stage.label()))
        .toList();
  }
}
