package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import social.feed.testkit.LongRunning;
import social.feed.testkit.StandInCommands;
import social.feed.testkit.StandInCommands.Outcome;

/**
 * Tests the order of {@code infra/deploy}, and what stops it. The account is a folder, with answers
 * in the format that AWS documents. What is deployed is the local platform.
 */
@LongRunning
@TestInstance(Lifecycle.PER_CLASS)
class ITDeploy {
  private static final String CDK_VERSION = "2.1148.1";
  private static final String SENDER = "mailFrom=a@mail.example.com";
  private static final String PROD = "-c stage=prod -c region=eu-central-1 -c " + SENDER;
  private static final AtomicInteger MEMBER = new AtomicInteger();

  private LocalPlatform platform;
  private Members members;
  private String member;
  private StandInCommands account;

  @BeforeAll
  void start() {
    platform = LocalPlatform.start(PlatformSettings.inMemory());
    members = new Members(platform.api());
  }

  @AfterAll
  void stop() {
    platform.close();
  }

  /** The commands note their calls. The sign-in gives a token of the local issuer. */
  @BeforeEach
  void writeTheCommands(@TempDir Path folder) throws Exception {
    account = new StandInCommands(folder);
    member = "deployer" + MEMBER.incrementAndGet();
    account.given("token", members.token(member));
    account.given("address", platform.api().toString());
    account.given("quota", "100000");
    account.given("stacks", "");
    account.given("outputs", "Function Image AlarmTopic");
    account.given("subscriptions", "");
    command(
        "aws",
        """
        stack() {
          echo "{\\"StackName\\": \\"$1\\", \\"StackStatus\\": \\"$(cat "status.$1" 2>/dev/null || echo CREATE_COMPLETE)\\", \\"Outputs\\": ["
          for key in Url StreamUrl $(cat outputs); do
            echo "{\\"OutputKey\\": \\"$key\\", \\"OutputValue\\": \\"$(cat address)\\"},"
          done
          echo '{"OutputKey": "Issuer", "OutputValue": "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_pool"},'
          echo '{"OutputKey": "ClientId", "OutputValue": "client"}]}'
        }
        case "$1 $2 $*" in
          *get-caller-identity*)
            [ ! -f stranger ] || { echo "An error occurred (InvalidClientTokenId)" >&2 && exit 254; }
            echo '{"UserId": "x", "Account": "210987654321", "Arn": "arn:aws:iam::210987654321:user/x"}'
            ;;
          *get-service-quota*) echo "{\\"Quota\\": {\\"Value\\": $(cat quota).0}}" ;;
          *get-role*) echo '{"Role": {"RoleName": "AWSServiceRoleForECS"}}' ;;
          *describe-stacks*)
            [ ! -f refused ] || { echo "An error occurred (AccessDenied)" >&2 && exit 254; }
            separator=
            echo '{"Stacks": ['
            for name in $(cat stacks); do
              echo "$separator"
              stack "$name"
              separator=,
            done
            echo ']}'
            ;;
          *update-termination-protection*) note "$*" ;;
          *list-stack-resources*)
            echo '{"StackResourceSummaries": ['
            [ ! -f foreign ] || echo '{"LogicalResourceId": "Old", "ResourceType": "AWS::DynamoDB::Table", "ResourceStatus": "DELETE_SKIPPED"},'
            [ -f foreign ] || echo '{"LogicalResourceId": "Table", "ResourceType": "AWS::DynamoDB::Table", "ResourceStatus": "UPDATE_COMPLETE"},'
            echo '{"LogicalResourceId": "Logs", "ResourceType": "AWS::S3::Bucket", "ResourceStatus": "CREATE_COMPLETE"}]}'
            ;;
          *"sns list-subscriptions-by-topic --topic-arn $(cat address)"*)
            [ ! -f unreadable ] || { echo "An error occurred (AuthorizationError)" >&2 && exit 254; }
            echo "{\\"Subscriptions\\": [$(cat subscriptions)]}"
            ;;
          *cognito-idp*)
            note "$2"
            case $2 in
              admin-create-user) echo '{"User": {}}' ;;
              admin-initiate-auth)
                [[ "$*" = *"--client-id client --auth-flow ADMIN_USER_PASSWORD_AUTH"* ]] || exit 255
                echo "{\\"AuthenticationResult\\": {\\"AccessToken\\": \\"$(cat token)\\", \\"TokenType\\": \\"Bearer\\"}}"
                ;;
            esac
            ;;
          *) exit 252 ;;
        esac
        """);
    command(
        "cdk",
        """
        [ "$1" != --version ] || { echo "VERSION (build fcf5e34)" && exit; }
        note "cdk $* ${CDK_DOCKER-}"
        case $1 in
          bootstrap) echo CDKToolkit >>stacks ;;
          deploy)
            [ ! -f broken ] || exit 1
            grep -qx "feed-$(cat stage)-api" stacks || echo "feed-$(cat stage)-api" >>stacks
            ;;
          synth)
            [[ "$*" = *stage=dev* ]] && echo dev >stage || echo prod >stage
            ;;
        esac
        """
            .replace("VERSION", CDK_VERSION));
    command("mvn", "note \"mvn $*\"");
    command("docker", "exit 1");
    command("podman", "");
    command("finch", "exit 1");
  }

  private void command(String name, String body) throws IOException {
    account.command(name, "note() { echo \"$*\" >>calls; }\n" + body);
  }

  private List<String> calls() throws IOException {
    return account.lines("calls");
  }

  private Outcome deploy(String... arguments) throws IOException, InterruptedException {
    return deployWith("", arguments);
  }

  private Outcome deployWith(String token, String... arguments)
      throws IOException, InterruptedException {
    return account.run(
        Map.of(
            "JAVA_HOME",
            System.getProperty("java.home"),
            "FEED_TOKEN",
            token,
            "SMOKE_PATIENCE",
            "20"),
        Stream.concat(Stream.of("../infra/deploy"), Stream.of(arguments)).toArray(String[]::new));
  }

  private static List<String> deployment(String inputs, String engine, String... after) {
    var calls =
        new ArrayList<>(
            List.of(
                "mvn -B -ntp -q -DskipTests package -pl infra/cdk -am",
                "cdk synth --no-notices --quiet " + inputs + " " + engine,
                "cdk diff --no-notices --app target/cdk.out " + engine,
                "cdk deploy --no-notices --app target/cdk.out --all --require-approval never "
                    + engine));
    calls.addAll(List.of(after));
    return calls;
  }

  /** The member of the smoke test exists for as long as the test runs. */
  @Test
  void newAccount_isPrepared_deployedAndTested() throws Exception {
    var result = deploy("dev");

    assertThat(result.output())
        .contains(
            "Account 210987654321, eu-central-1, stage dev.",
            "stack CDKToolkit gets",
            "post, feed, delivery, count, export, stream and deletion.",
            "Deployed:\n  Url " + platform.api(),
            "\n  Function " + platform.api() + "\n");
    assertThat(result.status()).isZero();
    var expected =
        deployment(
            "-c stage=dev -c region=eu-central-1",
            "",
            "admin-create-user",
            "admin-set-user-password",
            "admin-initiate-auth",
            "admin-delete-user");
    expected.add(2, "cdk bootstrap --no-notices aws://210987654321/eu-central-1 ");
    assertThat(calls()).isEqualTo(expected);
    assertThat(members.read(member, "/v1/users/me").path("code").textValue())
        .isEqualTo("account_erased");
  }

  /** Otherwise the first alarm would wake no one. */
  @Test
  void topicWithoutSubscribers_isNamed_untilSomeoneSubscribes() throws Exception {
    account.given("stacks", "CDKToolkit");

    var none = deploy("dev", "eu-central-1");
    account.given("token", members.token(member + "b"));
    account.given("subscriptions", "{\"Protocol\": \"email\", \"Endpoint\": \"a@example.com\"}");
    var one = deploy("dev", "eu-central-1");
    account.given("token", members.token(member + "c"));
    account.given("unreadable", "");
    var unknown = deploy("dev", "eu-central-1");

    assertThat(none.output())
        .endsWith(
            "  aws sns subscribe --region eu-central-1 --topic-arn %s --protocol email"
                    .formatted(platform.api())
                + " --notification-endpoint ADDRESS\n");
    assertThat(one.output()).doesNotContain("sns subscribe");
    assertThat(unknown.output()).contains("AuthorizationError").doesNotContain("sns subscribe");
    assertThat(List.of(none.status(), one.status(), unknown.status())).containsOnly(0);
  }

  @Test
  void missingOutput_isAnError() throws Exception {
    account.given("outputs", "Image");

    var result = deploy("dev");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.output()).contains("the stack feed-dev-api has no output Function.");
  }

  /** AWS gives the same refusal where the region is not enabled for the account. */
  @Test
  void refusedCredentials_endTheDeployment_withTheRegion() throws Exception {
    account.given("stranger", "");

    var result = deploy("dev", "me-south-1");

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.output()).contains("InvalidClientTokenId", "in me-south-1", "not be enabled");
    assertThat(calls()).isEmpty();
  }

  /** A missing right must not look like an account that is new. */
  @Test
  void refusedQuestion_preparesNoAccount() throws Exception {
    account.given("refused", "");

    var ready = deploy("dev");
    account.given("quota", "1");
    var small = deploy("prod", "--yes", SENDER);

    assertThat(ready.output()).contains("AccessDenied").doesNotContain("was not prepared");
    assertThat(ready.status()).isNotZero();
    assertThat(small.output()).contains("AccessDenied").doesNotContain("not ready for the first");
    assertThat(small.status()).isNotZero();
    assertThat(calls()).noneMatch(call -> call.matches("cdk (bootstrap|diff|deploy).*"));
  }

  @Test
  void wrongApi_failsTheDeployment_andItsMemberIsDeleted() throws Exception {
    account.given("stacks", "CDKToolkit");
    account.given("token", "no-token");

    var result = deploy("dev", "eu-central-1");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.output())
        .contains("the smoke test does not pass", "infra/rollback dev eu-central-1");
    assertThat(calls()).endsWith("admin-delete-user");
  }

  @Test
  void failedDeployment_isNotTested() throws Exception {
    account.given("stacks", "CDKToolkit");
    account.given("broken", "");

    assertThat(deploy("dev").status()).isEqualTo(1);
    assertThat(calls()).last().asString().startsWith("cdk deploy");
  }

  @Test
  void production_takesATokenFromItsVariable() throws Exception {
    account.given("stacks", "CDKToolkit");
    members.register(member);

    var result = deployWith(members.token(member), "prod", "--yes", SENDER);

    assertThat(result.output()).contains("stream and deletion.", "Deployed:");
    assertThat(result.status()).isZero();
    assertThat(calls()).isEqualTo(deployment(PROD, "podman"));
    assertThat(members.read(member, "/v1/users/me").required("id").textValue()).isEqualTo(member);
  }

  /** Otherwise the CDK could not delete the stack, which it does before it creates it again. */
  @Test
  void productionThatFailedAtFirst_isDeployedAgain() throws Exception {
    account.given("stacks", "CDKToolkit feed-prod-data feed-prod-stream feed-prod-api");
    account.given("status.feed-prod-data", "UPDATE_ROLLBACK_COMPLETE");
    account.given("status.feed-prod-stream", "ROLLBACK_COMPLETE");

    var result = deploy("prod", "--yes", SENDER);

    assertThat(result.status()).as(result.output()).isZero();
    var expected = deployment(PROD, "podman");
    expected.add(
        3,
        "cloudformation update-termination-protection --no-enable-termination-protection"
            + " --stack-name feed-prod-stream");
    assertThat(calls()).isEqualTo(expected);
  }

  @Test
  void production_withoutAToken_isNotTested() throws Exception {
    account.given("stacks", "CDKToolkit");

    var result = deploy("prod", "--yes", SENDER);

    assertThat(result.output()).contains("skipped: the smoke test, because FEED_TOKEN is not set");
    assertThat(result.status()).isZero();
  }

  @Test
  void production_withoutAConsent_doesNothing() throws Exception {
    assertThat(deploy("prod"))
        .isEqualTo(
            new Outcome(2, "deploy: this needs a consent. Run it on a terminal, or give --yes.\n"));
    assertThat(calls()).isEmpty();
  }

  /** A build takes minutes, and the CDK misses the sender after it. */
  @Test
  void production_withoutASenderOfMails_isNotBuilt() throws Exception {
    var result = deploy("prod", "--yes");

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.output()).contains("missing: the input mailFrom=ADDRESS");
    assertThat(calls()).isEmpty();
    assertThat(deploy("prod", "--dry-run").output())
        .contains("missing: the input mailFrom=ADDRESS");
  }

  /** Later the quotas are known to be enough, and may not keep a repair from being deployed. */
  @Test
  void quotas_stopTheFirstDeploymentOfProductionOnly() throws Exception {
    account.given("stacks", "CDKToolkit");
    account.given("quota", "1");

    var first = deploy("prod", "--yes", SENDER);
    account.given("stacks", "CDKToolkit feed-prod-api");
    var later = deploy("prod", "--yes", SENDER);
    var dev = deploy("dev");

    assertThat(first.output()).contains("too low: vCPUs", "not ready for the first deployment");
    assertThat(first.status()).isEqualTo(1);
    assertThat(later.status()).isZero();
    assertThat(dev.status()).isZero();
    // dev runs the API as a function by default.
    assertThat(dev.output()).contains("too low: concurrent executions").doesNotContain("Fargate");
  }

  @Test
  void image_needsAContainerEngine_unlessItExists() throws Exception {
    account.given("stacks", "CDKToolkit");
    command("podman", "exit 1");

    var none = deploy("dev", "api=service");
    var published = deploy("dev", "api=service", "image=example.com/feed@sha256:0");

    assertThat(none.status()).isEqualTo(2);
    assertThat(none.output()).contains("missing: a container engine that runs: docker, podman or");
    assertThat(published.status()).isZero();
    assertThat(calls())
        .contains(
            "cdk synth --no-notices --quiet -c stage=dev -c region=eu-central-1"
                + " -c api=service -c image=example.com/feed@sha256:0 ");
  }

  @Test
  void dryRun_asksNoAccount() throws Exception {
    command("aws", "note aws");

    var result = deploy("prod", "eu-west-1", SENDER, "--dry-run");

    assertThat(result.output())
        .contains("cdk deploy --app target/cdk.out --all --require-approval never");
    assertThat(result.status()).isZero();
    assertThat(calls()).noneMatch(call -> call.matches("aws.*|cdk (bootstrap|diff|deploy).*"));
  }

  /** An input that was left out would give the stage a new, empty table. */
  @Test
  void stageWithAnotherTable_isNotDeployedWithoutIt() throws Exception {
    account.given("stacks", "CDKToolkit feed-prod-data feed-prod-api");
    account.given("outputs", "Function Image AlarmTopic TableName");
    account.given("foreign", "");

    var without = deploy("prod", "--yes", SENDER);
    assertThat(calls()).isEmpty();
    var with = deploy("prod", "--yes", SENDER, "tableName=NEW", "streamLabel=LABEL");
    var changed = deploy("prod", "--yes", SENDER, "--change-table");

    assertThat(without.status()).isEqualTo(2);
    assertThat(without.output())
        .contains(
            "prod uses the table %s, which no stack owns, and the inputs have no tableName."
                .formatted(platform.api()),
            "--change-table");
    assertThat(with.status()).as(with.output()).isZero();
    assertThat(changed.status()).as(changed.output()).isZero();
  }

  /** The table of dev is deleted when its stack releases it, that of prod is kept. */
  @Test
  void stageWithItsOwnTable_losesItWithAConsentOnly() throws Exception {
    account.given("stacks", "CDKToolkit feed-prod-data feed-dev-data feed-prod-api feed-dev-api");
    String[] other = {"tableName=NEW", "streamLabel=LABEL"};

    var dev = deploy("dev", other[0], other[1]);
    assertThat(calls()).isEmpty();
    var changed = deploy("dev", other[0], other[1], "--change-table");
    var prod = deploy("prod", "--yes", SENDER, other[0], other[1]);

    assertThat(dev.status()).isEqualTo(2);
    assertThat(dev.output())
        .contains("the deployment would delete the table of dev", "--change-table");
    assertThat(changed.status()).as(changed.output()).isZero();
    assertThat(prod.status()).as(prod.output()).isZero();
  }

  /** The first deployment of a stage may have any table. */
  @Test
  void stageThatIsNew_mayHaveAnotherTable() throws Exception {
    account.given("stacks", "CDKToolkit feed-dev-data");
    account.given("status.feed-dev-data", "ROLLBACK_COMPLETE");

    assertThat(deploy("dev", "tableName=NEW", "streamLabel=LABEL").status()).isZero();
  }

  /** The script must see the inputs that the stacks see. */
  @Test
  void inputs_mayStandInTheContextOfTheStacks(@TempDir Path repository) throws Exception {
    var context = Path.of("..", "infra", "cdk", "cdk.json");
    var infra = repository.resolve("infra");
    Files.createDirectories(infra.resolve("cdk"));
    for (var script : List.of("deploy", "stage")) {
      Files.copy(
          Path.of("..", "infra", script),
          infra.resolve(script),
          StandardCopyOption.COPY_ATTRIBUTES);
    }
    command("podman", "exit 1");
    var defaults = Files.readString(context);
    var script = infra.resolve("deploy").toString();
    var copied = infra.resolve("cdk").resolve("cdk.json");
    var home = Map.of("JAVA_HOME", System.getProperty("java.home"));

    Files.writeString(copied, defaults.replaceFirst("\"api\": \\{.*?}", "\"api\": \"service\""));
    var service = account.run(home, script, "dev", "--dry-run");
    Files.writeString(
        copied,
        defaults.replaceFirst(
            "\"api\": \\{.*?}", "\"api\": \"service\", \"image\": \"example.com/feed@sha256:0\""));
    var published = account.run(home, script, "dev", "--dry-run");
    Files.writeString(
        copied,
        defaults.replaceFirst(
            "\"api\": \\{.*?}",
            "\"api\": \"service\", \"image\": {\"dev\": \" \"}, \"mailFrom\": null"));
    var blank = account.run(home, script, "dev", "--dry-run");

    assertThat(blank.output()).contains("missing: a container engine").doesNotContain("TypeError");
    assertThat(service.output())
        .contains("infra/cdk/account dev eu-central-1 service", "missing: a container engine");
    assertThat(published.output())
        .contains("infra/cdk/account dev eu-central-1 service")
        .doesNotContain("missing:");
  }

  @Test
  void wordsWithoutAMeaning_areErrors() throws Exception {
    assertThat(deploy().output()).startsWith("deploy: usage: infra/deploy dev|prod");
    assertThat(deploy("dev", "--force").output()).startsWith("deploy: --force is no stage");
    assertThat(deploy("dev", "region=eu-west-1").status()).isEqualTo(2);
    assertThat(deploy("dev", "api=lambda"))
        .isEqualTo(new Outcome(2, "deploy: api must be function or service, not lambda.\n"));
    assertThat(calls()).isEmpty();
  }

  @Test
  void page_namesTheTestedVersionOfTheCommand() throws Exception {
    assertThat(Files.readString(Path.of("..", "infra", "deploy")))
        .contains("cdk_version=" + CDK_VERSION + "\n");
    assertThat(Files.readString(Path.of("..", "infra", "cdk", "README.md")))
        .contains("the tested version (" + CDK_VERSION + ",", "aws-cdk@" + CDK_VERSION);
  }
}
