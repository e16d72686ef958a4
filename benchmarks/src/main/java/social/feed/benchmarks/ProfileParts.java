package social.feed.benchmarks;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;

/** Decides which part of the code a sample counts for. */
final class ProfileParts {
  private static final String MICRONAUT = "Micronaut: router, filters, binding";
  private static final String JDK_ONLY = "JDK, without a caller below";
  private static final String NO_STACK = "no stack";
  private static final String NO_PART = "";

  /**
   * Parts, each with the beginnings of its classes' names. The longest one that fits decides. What
   * changes between a virtual thread and its carrier is of the JDK, and counts for itself.
   */
  private static final String PARTS =
      """
      token, and the filter for it: social.feed.api.edge.security. com.nimbusds. io.micronaut.security.
      rate limit: social.feed.api.edge.rate.
      entity tag: social.feed.api.edge.etag.
      cost headers and the capacity in responses: social.feed.api.edge.cost. social.feed.table.kernel.cost.
      metrics: social.feed.api.edge.log.RouteMetrics social.feed.api.edge.operations.Metrics
      metrics: io.micrometer. io.micronaut.configuration.metrics. io.micronaut.micrometer. org.HdrHistogram.
      validation of arguments: io.micronaut.validation. jakarta.validation. social.feed.api.edge.query.
      caches: social.feed.api.edge.cache. social.feed.api.user.HotCache social.feed.benchmarks.FreshItems
      caches: com.github.benmanes.caffeine. io.lettuce.
      JSON: social.feed.api.edge.json. com.fasterxml.jackson. io.micronaut.serde. io.micronaut.json. io.micronaut.jackson.
      log: social.feed.api.edge.log. ch.qos.logback. org.slf4j.
      traces: io.opentelemetry.
      other filters of the API: social.feed.api.edge.operations. social.feed.api.edge.cors.
      services and stores, mapping of items: social.feed.api. social.feed.events. social.feed.table.
      services and stores, mapping of items: social.feed.benchmarks.Bare software.amazon.awssdk.enhanced.
      benchmark: social.feed.benchmarks.
      multiplexer: social.feed.streams.
      commands: social.feed.ctl.
      other modules of the platform: social.feed.
      SDK calls: interceptors: software.amazon.awssdk.core.interceptor.
      SDK calls: timeouts: software.amazon.awssdk.core.internal.http.timers.
      SDK calls: timeouts: software.amazon.awssdk.core.internal.http.pipeline.stages.ApiCallTimeout
      SDK calls: timeouts: software.amazon.awssdk.core.internal.http.pipeline.stages.ApiCallAttemptTimeout
      SDK calls: retries: software.amazon.awssdk.retries. software.amazon.awssdk.core.internal.retry.
      SDK calls: retries: software.amazon.awssdk.core.internal.http.pipeline.stages.RetryableStage
      SDK calls: signing: software.amazon.awssdk.http.auth. software.amazon.awssdk.auth. software.amazon.awssdk.identity.
      SDK calls: signing: software.amazon.awssdk.core.internal.http.pipeline.stages.SigningStage
      SDK calls: endpoints: software.amazon.awssdk.endpoints. software.amazon.awssdk.services.dynamodb.endpoints.
      SDK calls: requests and items, to JSON and back: software.amazon.awssdk.protocols.
      SDK calls: requests and items, to JSON and back: software.amazon.awssdk.thirdparty.jackson.
      SDK calls: requests and items, to JSON and back: software.amazon.awssdk.services.dynamodb.model.
      SDK calls: requests and items, to JSON and back: software.amazon.awssdk.services.dynamodb.transform.
      SDK calls: the rest of the SDK: software.amazon.awssdk.
      SDK calls: HTTP client: org.apache.hc. org.apache.http. software.amazon.awssdk.http.apache5.
      Lucene: org.apache.lucene.
      Netty: io.netty.
      Micronaut: router, filters, binding: io.micronaut.
      Reactor: reactor. org.reactivestreams.
      engine: DynamoDB Local: social.feed.engine. com.amazonaws.services.dynamodbv2. software.amazon.dynamodb.
      engine: libraries of DynamoDB Local: com.amazonaws. com.amazon.ion.
      engine: SQLite: org.sqlite. com.almworks.
      engine: HTTP: org.eclipse.jetty.
      engine: expressions: org.antlr.
      virtual threads: java.lang.VirtualThread jdk.internal.vm.Continuation sun.nio.ch.Poller
      virtual threads: java.util.concurrent.ForkJoinPool
      runtime client of Lambda: com.amazonaws.services.lambda. com.amazonaws.lambda.
      the recording itself: jdk.jfr.
      """;

  /** The parts by the beginnings of names. */
  private static final Map<String, String> PREFIXES = prefixes();

  /** What was found for a class, or {@link #NO_PART}. */
  private final Map<String, String> known = new HashMap<>();

  /** Returns the part of the topmost frame that has one; most classes of the JDK have none. */
  String of(RecordedEvent sample) {
    var stack = sample.getStackTrace();
    if (stack == null) {
      return NO_STACK;
    }
    for (RecordedFrame frame : stack.getFrames()) {
      var part = known.computeIfAbsent(frame.getMethod().getType().getName(), ProfileParts::part);
      if (!part.equals(NO_PART)) {
        return part;
      }
    }
    return JDK_ONLY;
  }

  /** Returns the class and the name of the topmost method that is not of the JDK. */
  static String method(RecordedEvent event) {
    var stack = event.getStackTrace();
    if (stack == null) {
      return NO_STACK;
    }
    return stack.getFrames().stream()
        .map(RecordedFrame::getMethod)
        .filter(method -> !isOfTheJdk(method.getType().getName()))
        .map(method -> simple(method.getType().getName()) + "." + method.getName())
        .findFirst()
        .orElse(JDK_ONLY);
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  /** Returns the part of a class; those of the JDK are one part. */
  String ofClass(String type) {
    var part = known.computeIfAbsent(type, ProfileParts::part);
    return part.equals(NO_PART) ? "JDK" : part;
  }

  /** Returns the part of a class, or {@link #NO_PART}. */
  static String part(String type) {
    // Micronaut generates such classes next to those that they call.
    if (type.substring(type.lastIndexOf('.') + 1).startsWith("$") && !isOfTheJdk(type)) {
      return MICRONAUT;
    }
    return PREFIXES.entrySet().stream()
        .filter(prefix -> type.startsWith(prefix.getKey()))
        .max(Comparator.comparingInt(prefix -> prefix.getKey().length()))
        .map(Map.Entry::getValue)
        .or(() -> Optional.of(type).filter(t -> !isOfTheJdk(t)).map(ProfileParts::library))
        .orElse(NO_PART);
  }

  private static boolean isOfTheJdk(String type) {
    return type.startsWith("java.")
        || type.startsWith("javax.")
        || type.startsWith("jdk.")
        || type.startsWith("sun.")
        || type.startsWith("com.sun.");
  }

  /** Returns the first three words of a name, which mostly are those of a library. */
  private static String library(String type) {
    var words = type.split("\\.");
    return "library "
        + String.join(".", List.of(words).subList(0, Math.min(3, Math.max(1, words.length - 1))));
  }

  private static Map<String, String> prefixes() {
    var prefixes = new HashMap<String, String>();
    PARTS
        .lines()
        .forEach(
            line -> {
              int end = line.lastIndexOf(": ");
              for (var prefix : line.substring(end + 2).split(" ")) {
                prefixes.put(prefix, line.substring(0, end));
              }
            });
    return prefixes;
  }
}
