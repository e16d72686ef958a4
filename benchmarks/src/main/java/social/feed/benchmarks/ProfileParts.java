package social.feed.benchmarks;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;

/** Decides which part of the code a sample counts for. */
final class ProfileParts {
  private static final String MICRONAUT = "Micronaut: router, filters, binding";
  private static final String SERVICES = "services and stores, mapping of items";
  private static final String JSON = "JSON";
  private static final String METRICS = "metrics";
  private static final String TOKEN = "token, and the filter for it";
  private static final String VALIDATION = "validation of arguments";
  private static final String COSTS = "cost headers and the capacity in responses";
  private static final String CACHES = "caches";
  private static final String VIRTUAL = "virtual threads";
  private static final String ENGINE = "engine: DynamoDB Local";
  private static final String ENGINE_LIBRARIES = "engine: libraries of DynamoDB Local";
  private static final String ENGINE_SQL = "engine: SQLite";
  private static final String CLIENT = "SDK calls: HTTP client";
  private static final String JDK_ONLY = "JDK, without a caller below";
  private static final String NO_STACK = "no stack";
  private static final String NO_PART = "";

  /** Prefixes of class names and their parts. The first one that fits decides. */
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

  /** Returns the part of a class, or {@link #NO_PART}. */
  static String part(String type) {
    // Micronaut generates such classes next to those that they call.
    if (type.substring(type.lastIndexOf('.') + 1).startsWith("$") && !isOfTheJdk(type)) {
      return MICRONAUT;
    }
    return PREFIXES.entrySet().stream()
        .filter(prefix -> type.startsWith(prefix.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
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
    var prefixes = new LinkedHashMap<String, String>();
    prefixes.put("social.feed.api.edge.security.", TOKEN);
    prefixes.put("com.nimbusds.", TOKEN);
    prefixes.put("io.micronaut.security.", TOKEN);
    prefixes.put("social.feed.api.edge.rate.", "rate limit");
    prefixes.put("social.feed.api.edge.etag.", "entity tag");
    prefixes.put("social.feed.api.edge.cost.", COSTS);
    prefixes.put("social.feed.table.kernel.cost.", COSTS);
    prefixes.put("social.feed.api.edge.log.RouteMetrics", METRICS);
    prefixes.put("social.feed.api.edge.operations.Metrics", METRICS);
    prefixes.put("io.micrometer.", METRICS);
    prefixes.put("io.micronaut.configuration.metrics.", METRICS);
    prefixes.put("io.micronaut.micrometer.", METRICS);
    prefixes.put("org.HdrHistogram.", METRICS);
    prefixes.put("io.micronaut.validation.", VALIDATION);
    prefixes.put("jakarta.validation.", VALIDATION);
    prefixes.put("social.feed.api.edge.query.", VALIDATION);
    prefixes.put("social.feed.api.edge.cache.", CACHES);
    prefixes.put("social.feed.api.user.HotCache", CACHES);
    prefixes.put("com.github.benmanes.caffeine.", CACHES);
    prefixes.put("io.lettuce.", CACHES);
    prefixes.put("social.feed.api.edge.json.", JSON);
    prefixes.put("com.fasterxml.jackson.", JSON);
    prefixes.put("io.micronaut.serde.", JSON);
    prefixes.put("io.micronaut.json.", JSON);
    prefixes.put("io.micronaut.jackson.", JSON);
    prefixes.put("social.feed.api.edge.log.", "log");
    prefixes.put("ch.qos.logback.", "log");
    prefixes.put("org.slf4j.", "log");
    prefixes.put("io.opentelemetry.", "traces");
    prefixes.put("social.feed.api.edge.operations.", "other filters of the API");
    prefixes.put("social.feed.api.edge.cors.", "other filters of the API");
    prefixes.put("social.feed.api.", SERVICES);
    prefixes.put("social.feed.events.", SERVICES);
    prefixes.put("social.feed.table.", SERVICES);
    prefixes.put("software.amazon.awssdk.enhanced.", SERVICES);
    // The bare routes.
    prefixes.put("social.feed.benchmarks.FreshItems", CACHES);
    prefixes.put("social.feed.benchmarks.Bare", SERVICES);
    prefixes.put("social.feed.benchmarks.", "benchmark");
    prefixes.put("social.feed.engine.", ENGINE);
    prefixes.put("social.feed.streams.", "multiplexer");
    prefixes.put("social.feed.", "other modules of the platform");
    prefixes.put("software.amazon.awssdk.", "SDK calls: SDK");
    prefixes.put("org.apache.hc.", CLIENT);
    prefixes.put("org.apache.http.", CLIENT);
    prefixes.put("org.apache.lucene.", "Lucene");
    prefixes.put("io.netty.", "Netty");
    prefixes.put("io.micronaut.", MICRONAUT);
    prefixes.put("reactor.", "Reactor");
    prefixes.put("org.reactivestreams.", "Reactor");
    prefixes.put("com.amazonaws.services.dynamodbv2.", ENGINE);
    prefixes.put("software.amazon.dynamodb.", ENGINE);
    prefixes.put("com.amazonaws.", ENGINE_LIBRARIES);
    prefixes.put("com.amazon.ion.", ENGINE_LIBRARIES);
    prefixes.put("org.sqlite.", ENGINE_SQL);
    prefixes.put("com.almworks.", ENGINE_SQL);
    prefixes.put("org.eclipse.jetty.", "engine: HTTP");
    prefixes.put("org.antlr.", "engine: expressions");
    // They change between a virtual thread and its carrier. Above a caller they count for
    // themselves.
    prefixes.put("java.lang.VirtualThread", VIRTUAL);
    prefixes.put("jdk.internal.vm.Continuation", VIRTUAL);
    prefixes.put("java.util.concurrent.ForkJoinPool", VIRTUAL);
    prefixes.put("sun.nio.ch.Poller", VIRTUAL);
    return prefixes;
  }
}
