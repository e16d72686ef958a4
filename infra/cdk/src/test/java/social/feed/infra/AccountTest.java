package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.testkit.StandInCommands;
import social.feed.testkit.StandInCommands.Outcome;

/** Tests the check of an account with answers in the format that AWS documents. */
class AccountTest {
  private static final Path LIST = Path.of("quotas.tsv");

  /** The processors of a task. */
  private static final int TASK_VCPUS = 1;

  /** A deployment runs new tasks next to the old ones. */
  private static final int TASKS_IN_A_DEPLOYMENT = 2;

  /** The write units a second of a shard of the stream. */
  private static final int UNITS_OF_SHARD = 1_000;

  /** The shards of a new table, which serves 4 000 write units a second. */
  private static final int SHARDS_OF_NEW_TABLE = 4;

  @TempDir private Path folder;

  private record Quota(String service, String code, String name, int dev, int prod, String api) {
    private static Quota of(String line) {
      var cells = line.split("\t");
      return new Quota(
          cells[0],
          cells[1],
          cells[2],
          Integer.parseInt(cells[3]),
          Integer.parseInt(cells[4]),
          cells[5]);
    }

    private int of(Stage stage) {
      return stage == Stage.DEV ? dev : prod;
    }

    private boolean isOf(ApiKind kind) {
      return api.equals("any") || api.equals(kind.label());
    }
  }

  private static List<Quota> quotas() throws IOException {
    return Files.readAllLines(LIST).stream()
        .filter(line -> !line.startsWith("#"))
        .map(Quota::of)
        .toList();
  }

  /** Returns what the list has for a quota. */
  static int needed(String code, Stage stage, ApiKind kind) throws IOException {
    return quotas().stream()
        .filter(quota -> quota.code().equals(code) && quota.isOf(kind))
        .findFirst()
        .orElseThrow()
        .of(stage);
  }

  @ParameterizedTest
  @EnumSource(Stage.class)
  void list_hasWhatTheStageNeeds(Stage stage) throws IOException {
    assertThat(needed("L-3032A538", stage, ApiKind.SERVICE))
        .isEqualTo(stage.tasksMax() * TASK_VCPUS * TASKS_IN_A_DEPLOYMENT);
    assertThat(needed("L-0263D0A3", stage, ApiKind.SERVICE)).isEqualTo(stage.natGateways());
    assertThat(needed("L-8A5B8E43", stage, ApiKind.SERVICE))
        .isEqualTo(GatewayRate.OF_AN_ACCOUNT.requests());
    for (var kind : ApiKind.values()) {
      assertThat(needed("L-CF0CBE56", stage, kind)).isEqualTo(stage.unitsMax());
      assertThat(needed("L-AB614373", stage, kind)).isEqualTo(stage.unitsMax());
      int api = kind == ApiKind.FUNCTION ? stage.apiConcurrency() : 0;
      int shards = Math.max(SHARDS_OF_NEW_TABLE, stage.unitsMax() / UNITS_OF_SHARD);
      int counts = Math.max(stage.countsConcurrency(), shards);
      int all = shards * effectsOfShard(stage) + counts + api + sinks(stage);
      // The numbers of the list are rounded up to tens.
      assertThat(needed("L-B99A9384", stage, kind)).isBetween(all, all + 9);
    }
    assertThat(
            Synthesized.of(stage)
                .only("api", "AWS::ECS::TaskDefinition")
                .required("Cpu")
                .textValue())
        .isEqualTo(Integer.toString(TASK_VCPUS * 1_024));
  }

  /** Returns the concurrent calls of the effects lane for a shard. */
  private static int effectsOfShard(Stage stage) {
    return Synthesized.of(stage).all("stream", "AWS::Lambda::EventSourceMapping").stream()
        .mapToInt(mapping -> mapping.path("ParallelizationFactor").asInt(1))
        .max()
        .orElseThrow();
  }

  /** Returns the concurrent calls of the function that publishes events. */
  private static int sinks(Stage stage) throws IOException {
    return SinksTest.stacks("sinks-" + stage.label(), stage)
        .all("stream", "AWS::Lambda::EventSourceMapping")
        .stream()
        .mapToInt(mapping -> mapping.at("/ScalingConfig/MaximumConcurrency").asInt())
        .sum();
  }

  @Test
  void page_hasTheList() throws IOException {
    var page = Files.readString(Path.of("..", "..", "docs", "operations.md"));

    for (var quota : quotas()) {
      assertThat(page)
          .contains(
              "| %s | `%s` `%s` | %s | %s | %s |"
                  .formatted(
                      quota.name(),
                      quota.service(),
                      quota.code(),
                      spaced(quota.dev()),
                      spaced(quota.prod()),
                      quota.api()));
    }
  }

  private static String spaced(int number) {
    return String.format(Locale.ROOT, "%,d", number).replace(',', ' ');
  }

  /** Answers as the aws command does; an account without a value of its own has the default. */
  @BeforeEach
  void writeTheCommand() throws IOException {
    new StandInCommands(folder)
        .command(
            "aws",
            """
        case $1.$2 in
          service-quotas.get-service-quota) file=$6.json ;;
          service-quotas.get-aws-default-service-quota) file=default.$6.json ;;
          iam.get-role) file=role.json ;;
        esac
        if [ -f "$file" ]; then cat "$file"; else cat refusal; exit 254; fi
        """);
    refusal("An error occurred (NoSuchResourceException): the quota does not exist");
    for (var quota : quotas()) {
      answer(quota.code() + ".json", quota, quota.prod());
    }
    Files.writeString(
        folder.resolve("role.json"),
        """
        {
            "Role": {
                "Path": "/aws-service-role/ecs.amazonaws.com/",
                "RoleName": "AWSServiceRoleForECS"
            }
        }
        """);
  }

  private void refusal(String text) throws IOException {
    Files.writeString(folder.resolve("refusal"), text + "\n");
  }

  private void answer(String file, Quota quota, int value) throws IOException {
    Files.writeString(
        folder.resolve(file),
        """
        {
            "Quota": {
                "ServiceCode": "%s",
                "QuotaArn": "arn:aws:servicequotas:eu-central-1:210987654321:%s/%s",
                "QuotaCode": "%s",
                "QuotaName": "%s",
                "Value": %d.0,
                "Unit": "None",
                "Adjustable": true,
                "GlobalQuota": false
            }
        }
        """
            .formatted(
                quota.service(), quota.service(), quota.code(), quota.code(), quota.name(), value));
  }

  private Outcome check(String... arguments) throws IOException, InterruptedException {
    return new StandInCommands(folder)
        .run(Stream.concat(Stream.of("./account"), Stream.of(arguments)).toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({"dev,,5", "prod,,10", "dev,service,10", "prod,function,5"})
  void account_withEnough_passes(String stage, @Nullable String api, int lines) throws Exception {
    var result = api == null ? check(stage, "eu-central-1") : check(stage, "eu-central-1", api);

    assertThat(result.output().lines()).hasSize(lines).allMatch(line -> line.startsWith("ok: "));
    assertThat(result.status()).isZero();
    assertThat(result.output().contains("Fargate")).isEqualTo(lines == 10);
  }

  @Test
  void kindThatDoesNotExist_isAnError() throws Exception {
    assertThat(check("dev", "eu-central-1", "lambda"))
        .isEqualTo(new Outcome(2, "account: api must be function or service, not lambda.\n"));
  }

  /** The values of a new account. */
  @Test
  void newAccount_isTooSmallForProduction_withTheCommands() throws Exception {
    for (var quota : quotas()) {
      if (quota.service().equals("fargate") || quota.service().equals("lambda")) {
        Files.deleteIfExists(folder.resolve(quota.code() + ".json"));
        answer(
            "default." + quota.code() + ".json", quota, quota.service().equals("lambda") ? 10 : 6);
      }
    }

    var result = check("prod", "eu-central-1");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.output())
        .contains(
            "too low: vCPUs of Fargate at once: 6, and 60 needed.",
            "too low: concurrent executions: 10, and 310 needed.",
            "--service-code fargate --quota-code L-3032A538 --desired-value 60"
                + " --region eu-central-1")
        .contains("ok: Elastic IP addresses of a region: 2, and 2 needed");
  }

  /** ECS may not have its role yet when the first service is created. */
  @Test
  void account_withoutTheRoleOfEcs_getsTheCommand() throws Exception {
    Files.delete(folder.resolve("role.json"));
    refusal("An error occurred (NoSuchEntity) when calling the GetRole operation");

    assertThat(check("dev", "eu-central-1").status()).isZero();
    var result = check("dev", "eu-central-1", "service");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.output())
        .contains("aws iam create-service-linked-role --aws-service-name ecs.amazonaws.com");
  }

  /** What is not known is not reported as enough. */
  @Test
  void account_thatCannotBeRead_isAnError() throws Exception {
    Files.delete(folder.resolve("L-B99A9384.json"));
    refusal("An error occurred (AccessDeniedException): no rights");

    var result = check("dev", "eu-central-1");

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.output())
        .contains("unknown: concurrent executions (lambda L-B99A9384)", "no rights");
  }

  @Test
  void stage_thatDoesNotExist_isAnError() throws Exception {
    assertThat(check("staging", "eu-central-1"))
        .isEqualTo(new Outcome(2, "usage: infra/cdk/account dev|prod REGION [function|service]\n"));
  }
}
