package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.MapPropertySource;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.web.router.Router;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.api.edge.dynamodb.DynamoDbConfiguration;
import social.feed.api.edge.dynamodb.LimitsConfiguration;
import social.feed.streams.lambda.MultiplexerSettings;

/** Tests that the code reads the variables that the stacks set. */
class ITEnvironment {
  @ParameterizedTest
  @EnumSource(Stage.class)
  void variables_ofTheFunction_areSettingsOfTheMultiplexer(Stage stage) throws IOException {
    assertThat(settingVariables()).containsAll(DeployedVariables.ofFunction(stage).keySet());
  }

  @Test
  void variables_ofFunctionsWithSinks_areSettingsOfTheMultiplexer() throws IOException {
    var variables = new TreeSet<String>();
    for (var function :
        SinksTest.stacks("sinks-variables", Stage.DEV).all("stream", "AWS::Lambda::Function")) {
      function
          .at("/Environment/Variables")
          .properties()
          .forEach(variable -> variables.add(variable.getKey()));
    }

    assertThat(variables)
        .contains("FEED_SINKS_QUEUE_URL", "FEED_SINKS_EVENT_BUS", "FEED_SINKS_WEBHOOKS");
    assertThat(settingVariables()).containsAll(variables).contains("FEED_WEBHOOKS_ENABLED");
  }

  @ParameterizedTest
  @EnumSource(Stage.class)
  void variables_ofTheTask_areSettingsOfTheApi(Stage stage) throws IOException {
    assertThat(settingVariables()).containsAll(DeployedVariables.ofTask(stage).keySet());
  }

  /** But for the names of the secret, which the function replaces with the secret itself. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void variables_ofTheApiAsAFunction_areSettingsOfTheApi(Stage stage) throws IOException {
    var variables = DeployedVariables.ofApiFunction(stage);

    assertThat(variables.remove("FEED_FUNCTION_CURSOR_SECRET_ARN")).isNotNull();
    assertThat(settingVariables()).containsAll(variables.keySet());
    assertThat(variables.get("FEED_RANKING_HALF_LIFE"))
        .isEqualTo(DeployedVariables.ofFunction(stage).get("FEED_MULTIPLEXER_TREND_HALF_LIFE"));
  }

  /** The operations page names this setting. */
  @Test
  void numberOfShards_isASettingOfTheApi() throws IOException {
    assertThat(Files.readString(Path.of("..", "..", "docs", "operations.md")))
        .contains("`FEED_LIMITS_FEED_SHARDS`");
    assertThat(settingVariables()).contains("FEED_LIMITS_FEED_SHARDS");
  }

  /** The stacks set this variable only with the input media=s3. */
  @Test
  void bucketOfMedia_isASettingOfApiAndFunction() throws IOException {
    assertThat(settingVariables()).contains("FEED_MEDIA_BUCKET");
  }

  /** The stacks set this variable only while the secret of cursors is replaced. */
  @Test
  void otherSecret_isASettingOfTheApi() throws IOException {
    assertThat(settingVariables()).contains(CursorRotation.SECRET, CursorRotation.OTHER_SECRET);
  }

  /** The check finds a variable that no code reads. */
  @Test
  void variable_withATypingError_isNotASetting() throws IOException {
    assertThat(settingVariables())
        .contains("FEED_MULTIPLEXER_TABLE")
        .doesNotContain("FEED_MULTIPLEXER_TABEL", "FEED_TABLE");
  }

  @Test
  void function_withItsVariables_hasTheseSettings() {
    var variables = DeployedVariables.ofFunction(Stage.PROD);
    // The API is on the class path of this test and requires its own variables.
    var both = DeployedVariables.ofTask(Stage.PROD);
    both.putAll(variables);
    try (var context = started(both)) {
      var settings = context.getBean(MultiplexerSettings.class);

      assertThat(settings.table()).isEqualTo(variables.get("FEED_MULTIPLEXER_TABLE"));
      assertThat(settings.deadLetterQueueUrl())
          .isEqualTo(variables.get("FEED_MULTIPLEXER_DEAD_LETTER_QUEUE_URL"));
      assertThat(settings.eventQueueUrl())
          .isEqualTo(variables.get("FEED_MULTIPLEXER_EVENT_QUEUE_URL"));
      assertThat(settings.trendHalfLife()).hasHours(6);
    }
  }

  /**
   * With the variables of the task, the API listens on all addresses and accepts tokens of the
   * pool.
   */
  @Test
  void task_withItsVariables_startsWithTheseSettings() {
    var variables = DeployedVariables.ofTask(Stage.PROD);
    variables.put("MICRONAUT_SERVER_PORT", "-1");
    try (var context = started(variables)) {
      var settings = context.getBean(DynamoDbConfiguration.class);

      assertThat(settings.table()).isEqualTo(variables.get("FEED_DYNAMODB_TABLE"));
      assertThat(settings.region()).isEqualTo("eu-central-1");
      assertThat(settings.local()).isFalse();
      assertThat(context.getProperty("feed.auth.audience", String.class))
          .hasValue(variables.get("FEED_AUTH_AUDIENCE"));
      assertThat(context.getProperty("feed.auth.jwks-url", String.class))
          .hasValue(variables.get("FEED_AUTH_JWKS_URL"));
      assertThat(context.getProperty("feed.live.lasts", Duration.class))
          .hasValue(java(ApiTasks.STREAMS_LAST));
      assertThat(context.getProperty("feed.live.heartbeat", Duration.class))
          .hasValue(java(ApiTasks.HEARTBEAT));
      assertThat(context.getProperty("feed.limits.rate.address-header", String.class))
          .hasValue(ApiTasks.CLIENT_ADDRESS);
      assertThat(context.getProperty("micronaut.server.host", String.class)).hasValue("0.0.0.0");
      assertThat(context.getBean(EmbeddedServer.class).start().isRunning()).isTrue();
    }
  }

  /** The function keeps the time of a call, and two seconds, for its answer. */
  @Test
  void apiAsAFunction_hasMoreTimeThanItKeepsForItsAnswer() throws IOException {
    var lambda = Synthesized.withFunction(Stage.DEV).only("api", "AWS::Lambda::Function");
    var variables = DeployedVariables.ofTask(Stage.DEV);
    try (var context = started(variables)) {
      var call = context.getBean(DynamoDbConfiguration.class).callTimeout();

      assertThat(lambda.required("Timeout").longValue()).isGreaterThan(2 * call.toSeconds() + 2);
    }
  }

  /** The gateway asks for a path without a route where it cannot serve a stream. */
  @Test
  void task_hasNoRouteForAStreamAtTheOtherAddress() {
    try (var context = started(DeployedVariables.ofTask(Stage.PROD))) {
      var router = context.getBean(Router.class);

      assertThat(router.findAny("/v1/stream", null)).isNotEmpty();
      assertThat(router.findAny(ApiStack.NOT_STREAMED, null)).isEmpty();
    }
  }

  /** The task has the limits against abuse that the documentation promises. */
  @Test
  void task_withItsVariables_limitsHowFastAUserFollows() {
    try (var context = started(DeployedVariables.ofTask(Stage.PROD))) {
      var limits = context.getBean(LimitsConfiguration.class);

      assertThat(limits.dailyFollows()).isEqualTo(400);
      assertThat(limits.dailyUnfollows()).isEqualTo(400);
      assertThat(limits.unfollowAfter()).hasMinutes(10);
    }
  }

  private static Duration java(software.amazon.awscdk.Duration duration) {
    return Duration.ofSeconds(duration.toSeconds().longValue());
  }

  /** The API and the multiplexer use the same half-life. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void halfLife_ofTags_isTheSameForBoth(Stage stage) {
    assertThat(DeployedVariables.ofTask(stage).get("FEED_RANKING_HALF_LIFE"))
        .isEqualTo(DeployedVariables.ofFunction(stage).get("FEED_MULTIPLEXER_TREND_HALF_LIFE"));
  }

  private static ApplicationContext started(Map<String, String> variables) {
    return ApplicationContext.builder()
        .deduceEnvironment(false)
        .banner(false)
        .propertySources(
            new MapPropertySource("environment", new TreeMap<String, Object>(variables)) {
              @Override
              public PropertyConvention getConvention() {
                return PropertyConvention.ENVIRONMENT_VARIABLE;
              }
            })
        .start();
  }

  /**
   * Returns the variables of all settings that the code declares, from the metadata of its build.
   */
  private static Set<String> settingVariables() throws IOException {
    var settingVariables = new TreeSet<String>();
    var lists =
        ITEnvironment.class
            .getClassLoader()
            .getResources("META-INF/spring-configuration-metadata.json");
    while (lists.hasMoreElements()) {
      try (var list = lists.nextElement().openStream()) {
        for (var property : new ObjectMapper().readTree(list).path("properties")) {
          settingVariables.add(DeployedVariables.named(property.required("name").textValue()));
        }
      }
    }
    return settingVariables;
  }
}
