package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.testkit.LongRunning;
import social.feed.testkit.StandInCommands;
import social.feed.testkit.StandInCommands.Outcome;

/**
 * Tests the way back with answers in the format that AWS documents. The account is a folder: files
 * hold what the service and the aliases are at.
 */
@LongRunning
class ITRollback {
  private static final String[] PROD = {"prod", "eu-west-1", "--yes"};

  private static final String ECR = "210987654321.dkr.ecr.eu-west-1.amazonaws.com/";
  private static final String SECRETS = "arn:aws:secretsmanager:eu-west-1:210987654321:secret:";

  private StandInCommands account;

  /** Answers as the aws command does with {@code --output json}, and notes each change. */
  @BeforeEach
  void writeTheCommand(@TempDir Path folder) throws IOException {
    account = new StandInCommands(folder);
    account.command(
        "aws",
        """
        [ "$AWS_REGION $AWS_DEFAULT_REGION" = "eu-west-1 eu-west-1" ]
        option() {
          local name=$1
          shift
          while [ "$1" != "$name" ]; do shift; done
          echo "$2"
        }
        stack() {
          echo "{\\"StackName\\": \\"$1\\", \\"StackStatus\\": \\"$(cat "$1.status")\\", \\"Outputs\\": [$2]}"
        }
        output() {
          echo "{\\"OutputKey\\": \\"$1\\", \\"OutputValue\\": \\"$2\\", \\"Description\\": \\"$1\\"}"
        }
        api() {
          local kind
          kind=$(if [ -f function ]; then output Function calling; else output Service service/feed/api; fi)
          stack feed-prod-api "$kind, $(output Url https://one.example/),
            $(output StreamUrl https://two.example)"
        }
        stream() {
          stack feed-prod-stream "$(output CountsFunctionName counting), $(output EffectsFunctionName effecting)"
        }
        region=arn:aws:ecs:eu-west-1:210987654321
        case "$1 $2 $*" in
          *describe-stacks*feed-prod-api*)
            [ ! -f refuses-one ] || { echo AccessDenied >&2 && exit 254; }
            echo "{\\"Stacks\\": [$(api)]}"
            ;;
          *describe-stacks*feed-prod-stream*) echo "{\\"Stacks\\": [$(stream)]}" ;;
          *describe-stacks*) echo "{\\"Stacks\\": [$(api), $(stream)]}" ;;
          *describe-services*)
            echo "{\\"services\\": [{\\"serviceName\\": \\"api\\", \\"taskDefinition\\": \\"$region:task-definition/feed:$(cat service)\\"}], \\"failures\\": []}"
            ;;
          *list-task-definitions*)
            echo "{\\"taskDefinitionArns\\": ["
            for definition in $(cat definitions); do echo "\\"$region:task-definition/$definition\\","; done
            echo "\\"$region:task-definition/feed:1\\"]}"
            ;;
          *describe-task-definition*)
            definition=$(option --task-definition "$@")
            echo "{\\"taskDefinition\\": {\\"containerDefinitions\\": [{\\"name\\": \\"api\\", \\"image\\": \\"$(cat "image.$definition" 2>/dev/null || echo "image-of-${definition/:/-}")\\",
              \\"secrets\\": [$(cat "secrets.$definition" 2>/dev/null)],
              \\"environment\\": [{\\"name\\": \\"FEED_AUTH_ISSUER\\", \\"value\\": \\"https://issuer.example\\"},
              {\\"name\\": \\"FEED_DYNAMODB_TABLE\\", \\"value\\": \\"$(cat "table.$definition" 2>/dev/null || echo feed)\\"}]}]}, \\"tags\\": []}"
            ;;
          *update-service*)
            echo "$(option --task-definition "$@")" >>changes
            if [ ! -f unhealthy ]; then option --task-definition "$@" | sed s/.*:// >service; fi
            echo '{"service": {"serviceName": "api"}}'
            ;;
          *"wait services-stable"*) ;;
          *get-alias*)
            echo "{\\"Name\\": \\"counts\\", \\"FunctionVersion\\": \\"$(cat "alias.$(option --function-name "$@")")\\", \\"RevisionId\\": \\"1\\"}"
            ;;
          *list-versions-by-function*)
            echo '{"Versions": [{"FunctionName": "f", "Version": "$LATEST"}, {"FunctionName": "f", "Version": "10"},'
            echo '{"FunctionName": "f", "Version": "8"}, {"FunctionName": "f", "Version": "9"}]}'
            ;;
          *get-function-configuration*)
            version=$(option --function-name "$@"):$(option --qualifier "$@")
            echo "{\\"FunctionName\\": \\"f\\", \\"CodeSha256\\": \\"digest-of-$version\\", \\"LastModified\\": \\"2026-11-01T08:00:00.000+0000\\",
              \\"State\\": \\"$(cat "state.$version" 2>/dev/null || echo Active)\\",
              \\"Environment\\": {\\"Variables\\": {$([ ! -f "key.$version" ] || echo "\\"FEED_FUNCTION_MEDIA_KEY_SECRET_ARN\\": \\"$(cat "key.$version")\\",")
              $([ ! -f "queue.$version" ] || echo "\\"FEED_SINKS_QUEUE_URL\\": \\"$(cat "queue.$version")\\",")
              \\"$(case $version in calling*) echo FEED_DYNAMODB_TABLE ;; *) echo FEED_MULTIPLEXER_TABLE ;; esac)\\": \\"$(cat "table.$version" 2>/dev/null || echo feed)\\"}}}"
            ;;
          *"lambda invoke"*)
            [ "$(cat "$(option --payload "$@" | sed s,^fileb://,,)")" = '{"Records": []}' ]
            echo "call $(option --function-name "$@")" >>changes
            echo "SnapStartNotReadyException" >&2
            exit 254
            ;;
          *"wait published-version-active"*)
            version=$(option --function-name "$@"):$(option --qualifier "$@")
            echo "wait $version" >>changes
            [ ! -f "stuck.$version" ]
            ;;
          *update-alias*)
            [ "$(option --routing-config "$@")" = 'AdditionalVersionWeights={}' ]
            echo "$(option --name "$@") $(option --function-version "$@")" >>changes
            option --function-version "$@" >"alias.$(option --function-name "$@")"
            echo '{"Name": "counts"}'
            ;;
          *)
            echo "no answer to $*" >&2
            exit 252
            ;;
        esac
        """);
    account.given("feed-prod-api.status", "UPDATE_COMPLETE");
    account.given("feed-prod-stream.status", "UPDATE_COMPLETE");
    account.given("service", "11");
    account.given("definitions", "feedother:10 feed:12 feed:9 feed:11 feed:8");
    account.given("alias.counting", "10");
    account.given("alias.effecting", "10");
  }

  private List<String> changes() throws IOException {
    return account.lines("changes");
  }

  private Outcome rollback(String... arguments) throws IOException, InterruptedException {
    return account.run(
        Stream.concat(Stream.of("../rollback"), Stream.of(arguments)).toArray(String[]::new));
  }

  /**
   * Revisions and versions are numbers: 9 comes before 10. The other family has a 10, ours none.
   */
  @Test
  void stage_goesBack_theApiFirst() throws Exception {
    var result = rollback(PROD);

    assertThat(result.output())
        .contains(
            "API: feed:11 -> feed:9\n  from image-of-feed-11\n  to   image-of-feed-9\n",
            "counts: version 10 -> 9\n  from code digest-of-counting:10 of 2026-11-01",
            "  to   code digest-of-effecting:9 of 2026-11-01",
            "ok: the API runs feed:9\n",
            "ok: counts is at version 9\nok: effects is at version 9\n",
            "FEED_TOKEN=… infra/smoke https://one.example/ https://two.example\n");
    assertThat(result.status()).isZero();
    assertThat(changes()).containsExactly("feed:9", "counts 9", "effects 9");
  }

  @Test
  void stage_goesBackAgain_byOneMore() throws Exception {
    assertThat(rollback(PROD).status()).isZero();
    assertThat(rollback(PROD).status()).isZero();

    assertThat(changes())
        .containsExactly("feed:9", "counts 9", "effects 9", "feed:8", "counts 8", "effects 8");
  }

  /**
   * 10 followed on 9, was taken back to 9, and 11 followed on that: the next lower number is 10.
   */
  @Test
  void releaseThatWasTakenBack_isPassedOverByItsNumber() throws Exception {
    account.given("function", "");
    account.given("alias.calling", "10");
    account.given("alias.counting", "10");

    var next = rollback("prod", "eu-west-1", "--dry-run");
    var named = rollback("prod", "eu-west-1", "--yes", "api=8", "counts=8");

    assertThat(next.output())
        .contains("live: version 10 -> 9", "name the number that ran before it");
    assertThat(named.output())
        .contains("live: version 10 -> 8", "counts: version 10 -> 8", "effects: version 10 -> 9")
        .doesNotContain("name the number");
    assertThat(named.status()).isZero();
    assertThat(changes()).containsExactly("live 8", "counts 8", "effects 9");
  }

  @Test
  void revisionOfTheService_isNamedAsWell() throws Exception {
    assertThat(rollback("prod", "eu-west-1", "api", "api=8", "--yes").output())
        .contains("API: feed:11 -> feed:8");
    assertThat(changes()).containsExactly("feed:8");
  }

  @ParameterizedTest
  @CsvSource({
    "api=10, 1, the API has no task definition 10 before feed:11.",
    "counts=12, 1, the function of counts has no version 12 before 10.",
    "live=9, 2, live=9 is neither api nor functions",
    "counts=x, 2, counts=x is neither api nor functions"
  })
  void numberThatDoesNotExist_isAnError(String number, int status, String message)
      throws Exception {
    var result = rollback("prod", "eu-west-1", "--yes", number);

    assertThat(result.output()).contains(message);
    assertThat(result.status()).isEqualTo(status);
    assertThat(changes()).isEmpty();
  }

  @Test
  void numberOfAPartThatStays_isAnError() throws Exception {
    assertThat(rollback("prod", "eu-west-1", "api", "counts=9", "--yes"))
        .isEqualTo(new Outcome(2, "rollback: a number is given for a part that stays as it is.\n"));
  }

  /** CloudFormation sees no difference, so the way forward is the way back. */
  @Test
  void wayForward_isPrinted_theFunctionsFirst() throws Exception {
    assertThat(rollback(PROD).output())
        .endsWith(
            """
              aws lambda update-alias --region eu-west-1 --function-name counting --name counts --function-version 10
              aws lambda update-alias --region eu-west-1 --function-name effecting --name effects --function-version 10
              aws ecs update-service --region eu-west-1 --cluster feed --service api --task-definition feed:11
            """);
    account.given("function", "");
    account.given("alias.calling", "10");
    account.given("alias.counting", "10");
    account.given("alias.effecting", "10");
    assertThat(rollback(PROD).output())
        .endsWith("--function-name calling --name live --function-version 10\n")
        .doesNotContain("update-service");
  }

  /** A refusal of AWS does not make it another kind of API. */
  @Test
  void refusedQuestion_endsTheRollback() throws Exception {
    account.given("function", "");
    account.given("refuses-one", "");

    var result = rollback(PROD);

    assertThat(result.status()).isNotZero();
    assertThat(result.output()).contains("AccessDenied").doesNotContain("no output Service");
    assertThat(changes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"api", "functions"})
  void part_goesBackAlone(String part) throws Exception {
    assertThat(rollback("prod", "eu-west-1", part, "--yes").status()).isZero();

    assertThat(changes())
        .isEqualTo(part.equals("api") ? List.of("feed:9") : List.of("counts 9", "effects 9"));
  }

  @Test
  void apiAsAFunction_goesBackByItsAlias_beforeTheLanes() throws Exception {
    account.given("function", "");
    account.given("alias.calling", "10");
    account.given("state.calling:9", "Inactive");

    var result = rollback(PROD);

    assertThat(result.output())
        .contains("live: version 10 -> 9\n  from code digest-of-calling:10 of 2026-11-01")
        .contains("ok: live is at version 9\nok: counts is at version 9\n");
    assertThat(result.status()).isZero();
    assertThat(changes())
        .containsExactly("call calling:9", "wait calling:9", "live 9", "counts 9", "effects 9");
  }

  @Test
  void apiAsAFunction_goesBackAlone_butNotBeyondARestore() throws Exception {
    account.given("function", "");
    account.given("alias.calling", "10");
    assertThat(rollback("prod", "eu-west-1", "api", "--yes").status()).isZero();
    assertThat(changes()).containsExactly("live 9");

    account.given("table.calling:8", "restored");
    var beyond = rollback("prod", "eu-west-1", "api", "--yes");
    assertThat(beyond.status()).isEqualTo(1);
    assertThat(beyond.output()).contains("It cannot go back beyond a restore.");
    assertThat(changes()).containsExactly("live 9");
  }

  /** A call makes Lambda create the snapshot again; it is awaited before any alias moves. */
  @Test
  void versionWithoutSnapshot_isActivatedFirst() throws Exception {
    account.given("state.effecting:9", "Inactive");

    assertThat(rollback(PROD).status()).isZero();
    assertThat(changes())
        .containsExactly("feed:9", "call effecting:9", "wait effecting:9", "counts 9", "effects 9");
  }

  @Test
  void versionThatDoesNotBecomeActive_getsNoCalls() throws Exception {
    account.given("state.effecting:9", "Inactive");
    account.given("stuck.effecting:9", "");

    var result = rollback("prod", "eu-west-1", "functions", "--yes");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.output())
        .contains("version 9 of effects does not become active. No alias was moved.");
    assertThat(changes()).containsExactly("call effecting:9", "wait effecting:9");
  }

  @Test
  void dryRun_printsThePlan_andChangesNothing() throws Exception {
    var result = rollback("prod", "eu-west-1", "--dry-run");

    assertThat(result.status()).isZero();
    assertThat(result.output())
        .contains("API: feed:11 -> feed:9", "effects: version 10 -> 9")
        .doesNotContain("ok:");
    assertThat(changes()).isEmpty();
  }

  @Test
  void withoutAConsent_nothingIsChanged() throws Exception {
    var result = rollback("prod", "eu-west-1");

    assertThat(result)
        .isEqualTo(
            new Outcome(
                2, "rollback: this needs a consent. Run it on a terminal, or give --yes.\n"));
    assertThat(changes()).isEmpty();
  }

  /** CloudFormation and a hand would move the same aliases. */
  @ParameterizedTest
  @ValueSource(strings = {"feed-prod-api", "feed-prod-stream"})
  void deploymentInProgress_isEndedFirst(String stack) throws Exception {
    account.given(stack + ".status", "UPDATE_IN_PROGRESS");

    var result = rollback(PROD);

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.output())
        .contains(
            "aws cloudformation cancel-update-stack --region eu-west-1 --stack-name " + stack);
    assertThat(changes()).isEmpty();
  }

  /** What was published before a restore reads a table to which it has no rights any more. */
  @ParameterizedTest
  @ValueSource(strings = {"feed:9", "counting:9", "effecting:9"})
  void previousOfARestore_isRefused(String previous) throws Exception {
    account.given("table." + previous, "feed-before");

    var result = rollback(PROD);

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.output())
        .contains("uses the table feed-before", "cannot go back beyond a restore");
    assertThat(changes()).isEmpty();
  }

  /** Its role may send to the queue of the present inputs only, and to none without sinks. */
  @ParameterizedTest
  @ValueSource(strings = {"", "https://sqs.example/new"})
  void previousWithAQueueThatIsGone_isRefused(String now) throws Exception {
    account.given("queue.effecting:9", "https://sqs.example/old");
    if (!now.isEmpty()) {
      account.given("queue.effecting:10", now);
    }

    var result = rollback("prod", "eu-west-1", "functions", "--yes");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.output())
        .contains(
            "the previous version of effects sends events to https://sqs.example/old, to which its"
                + " role has no right any more.");
    assertThat(changes()).isEmpty();
  }

  /** The role of the tasks may pull from the repository of the present image only. */
  @ParameterizedTest
  @ValueSource(strings = {"public.ecr.aws/feed/feed@sha256:11", ECR + "feed@sha256:11"})
  void imageOfAnotherRepository_isRefused(String now) throws Exception {
    account.given("image.feed:11", now);
    account.given("image.feed:9", ECR + "cdk-hnb659fds-container-assets:9");

    var result = rollback(PROD);

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.output())
        .contains(
            "the previous task definition has an image of %scdk-hnb659fds-container-assets, from"
                .formatted(ECR),
            "its tasks would not start. Deploy the earlier commit with infra/deploy.");
    assertThat(changes()).isEmpty();
  }

  /** Anyone may pull an image of a public registry. */
  @ParameterizedTest
  @ValueSource(strings = {ECR + "feed@sha256:9", ECR + "feed:9", "example.com:80/feed@sha256:9"})
  void imageOfTheSameRepositoryOrAPublicOne_goesBack(String before) throws Exception {
    account.given("image.feed:11", ECR + "feed@sha256:11");
    account.given("image.feed:9", before);

    assertThat(rollback("prod", "eu-west-1", "api", "--yes").status()).isZero();
    assertThat(changes()).containsExactly("feed:9");
  }

  /** The role may read the secrets of the present tasks only. */
  @ParameterizedTest
  @ValueSource(strings = {"", "new-AbCdEf"})
  void taskWithASecretThatIsGone_isRefused(String now) throws Exception {
    account.given("secrets.feed:9", secret("old-AbCdEf"));
    if (!now.isEmpty()) {
      account.given("secrets.feed:11", secret(now));
    }

    var result = rollback(PROD);

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.output())
        .contains("the previous task definition reads the secret %sold-AbCdEf,".formatted(SECRETS));
    assertThat(changes()).isEmpty();
  }

  /** A step of the rotation of the secret of cursors names versions of the one secret. */
  @Test
  void taskWithAnotherVersionOfASecret_goesBack() throws Exception {
    account.given("secrets.feed:9", secret("cursors-AbCdEf::AWSPENDING:"));
    account.given("secrets.feed:11", secret("keys-AbCdEf") + ", " + secret("cursors-AbCdEf"));

    assertThat(rollback("prod", "eu-west-1", "api", "--yes").status()).isZero();
    assertThat(changes()).containsExactly("feed:9");
  }

  private static String secret(String name) {
    return "{\"name\": \"FEED_CURSOR_SECRET\", \"valueFrom\": \"%s%s\"}".formatted(SECRETS, name);
  }

  /** As for tasks, the role may read the present secret only. */
  @Test
  void functionWithAKeyThatIsGone_isRefused_andWithoutAKeyGoesBack() throws Exception {
    account.given("function", "");
    account.given("alias.calling", "10");
    account.given("key.calling:10", SECRETS + "new-AbCdEf");
    assertThat(rollback("prod", "eu-west-1", "api", "--yes").status()).isZero();
    assertThat(changes()).containsExactly("live 9");

    account.given("key.calling:9", SECRETS + "new-AbCdEf");
    account.given("key.calling:8", SECRETS + "old-AbCdEf");
    var result = rollback("prod", "eu-west-1", "api", "--yes");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.output())
        .contains("the previous version of live reads the secret %sold-AbCdEf,".formatted(SECRETS));
    assertThat(changes()).containsExactly("live 9");
  }

  /** A version without sinks needs no right to the queue. */
  @ParameterizedTest
  @ValueSource(strings = {"", "https://sqs.example/new"})
  void previousWithTheSameQueueOrNone_goesBack(String before) throws Exception {
    account.given("queue.effecting:10", "https://sqs.example/new");
    if (!before.isEmpty()) {
      account.given("queue.effecting:9", before);
    }

    assertThat(rollback("prod", "eu-west-1", "functions", "--yes").status()).isZero();
    assertThat(changes()).containsExactly("counts 9", "effects 9");
  }

  @Test
  void firstDeployment_hasNothingBeforeIt() throws Exception {
    account.given("service", "1");

    var result = rollback(PROD);

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.output()).contains("the API has no task definition before feed:1.");

    account.given("alias.effecting", "8");

    assertThat(rollback("prod", "eu-west-1", "functions", "--yes").output())
        .contains("the function of effects has no version before 8.");
    assertThat(changes()).isEmpty();
  }

  /** The circuit breaker of the service brings the newer definition back. */
  @Test
  void tasksThatFail_areReported_andTheFunctionsStay() throws Exception {
    account.given("unhealthy", "");

    var result = rollback(PROD);

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.output()).contains("ECS has returned to feed:11, because tasks of feed:9");
    assertThat(changes()).containsExactly("feed:9");
  }

  @Test
  void stageThatIsNotDeployed_isAnError() throws Exception {
    var result = rollback("dev", "eu-west-1", "--yes");

    assertThat(result)
        .isEqualTo(new Outcome(1, "rollback: there is no stack feed-dev-stream in eu-west-1.\n"));
  }
}
