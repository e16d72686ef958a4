package social.feed.streams.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.BeanDefinitionReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.kernel.declaration.Retention;

class FunctionContextBuilderTest {
  private static final Map<String, Object> REQUIRED =
      Map.of(
          "feed.multiplexer.dead-letter-queue-url", "https://queue.invalid/dead",
          "feed.multiplexer.event-queue-url", "https://queue.invalid/events");

  private static ApplicationContext start(Map<String, Object> settings) {
    var all = new HashMap<>(REQUIRED);
    all.putAll(settings);
    return new FunctionContextBuilder().properties(all).start();
  }

  private static List<String> namesOfOurs(ApplicationContext context) {
    return context.getBeanDefinitionReferences().stream()
        .map(BeanDefinitionReference::getBeanDefinitionName)
        .filter(name -> name.startsWith("social.feed.streams.lambda."))
        .sorted()
        .toList();
  }

  @Test
  void context_hasAllBeansThatMicronautFindsInTheModule() {
    try (var ours = start(Map.of());
        var searched = ApplicationContext.builder().properties(REQUIRED).start()) {
      assertThat(namesOfOurs(ours)).isNotEmpty().isEqualTo(namesOfOurs(searched));
    }
  }

  @Test
  void context_hasNoBeansOfOtherModules() {
    try (var context = start(Map.of())) {
      assertThat(context.getBeanDefinitionReferences())
          .extracting(BeanDefinitionReference::getBeanDefinitionName)
          .noneMatch(name -> name.matches("io\\.micronaut\\.(http|serde|json|scheduling)\\..*"));
    }
  }

  @Test
  void settings_areReadInMicronautsFormats() {
    try (var context =
        start(
            Map.of(
                "feed.multiplexer.notifications-live", "30d",
                "feed.multiplexer.trend-half-life", "PT2H",
                "feed.sinks.queue-url", "https://queue.invalid/sinks",
                "feed.sinks.private-events", "account.suspicious,notification.created"))) {
      var settings = context.getBean(MultiplexerSettings.class);

      assertThat(settings.notificationsLive()).isEqualTo(Duration.ofDays(30));
      assertThat(settings.trendHalfLife()).isEqualTo(Duration.ofHours(2));
      assertThat(settings.sweeping()).isNotNull();
      assertThat(context.getBean(SinkSettings.class).notPublic()).hasSize(2);
    }
  }

  @Test
  void settingsOfErasures_areThoseOfTheirNames() {
    try (var context =
        start(
            Map.of(
                "feed.multiplexer.erasure-sweep-every", "2d",
                "feed.multiplexer.erasure-sweep-units", "70",
                "feed.multiplexer.erasure-removal-units", "800",
                "feed.multiplexer.celebrity-threshold", "9000"))) {
      var sweeping = context.getBean(MultiplexerSettings.class).sweeping();

      assertThat(sweeping)
          .isEqualTo(
              new ErasureSweeps.Settings(
                  Duration.ofDays(2), Retention.ERASURE_REST, 70, 800, 9_000));
    }
  }

  @Test
  void wrongSetting_failsTheStart() {
    assertThatThrownBy(() -> start(Map.of("feed.multiplexer.backfill-newest", "0")))
        .hasStackTraceContaining("Set feed.multiplexer.backfill-newest to 1 to 50, not 0");
    assertThatThrownBy(() -> start(Map.of("feed.sinks.event-bus", "bus")))
        .hasStackTraceContaining("Set feed.sinks.queue-url");
  }
}
