package social.feed.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * Prints which parts of a process used its processor time, from a recording of JFR. A sample counts
 * for the part of its topmost frame that does not belong to the JDK. Arguments: recordings.
 */
final class ProfileShares {
  private static final List<String> SAMPLES = List.of("jdk.CPUTimeSample", "jdk.ExecutionSample");
  private static final String JDK_ONLY = "JDK, without a caller below";

  /** Prefixes of class names, the longer ones first, and their parts. */
  private static final Map<String, String> PARTS = parts();

  /** Below this share a part is counted with the rest. */
  private static final double LEAST = 0.005;

  private ProfileShares() {}

  public static void main(String[] arguments) throws IOException {
    for (var name : arguments) {
      var counts = new HashMap<String, Long>();
      try (var recording = new RecordingFile(Path.of(name))) {
        while (recording.hasMoreEvents()) {
          var event = recording.readEvent();
          if (SAMPLES.contains(event.getEventType().getName())) {
            counts.merge(part(event), 1L, Long::sum);
          }
        }
      }
      print(Path.of(name).getFileName().toString(), counts);
    }
  }

  private static void print(String name, Map<String, Long> counts) {
    long all = counts.values().stream().mapToLong(Long::longValue).sum();
    System.out.printf("%n%s: %,d samples%n", name, all);
    var rows = new ArrayList<>(counts.entrySet());
    rows.sort(Map.Entry.<String, Long>comparingByValue().reversed());
    long shown = 0;
    for (var row : rows) {
      if (row.getValue() >= LEAST * all) {
        System.out.printf("%5.1f %%  %s%n", 100.0 * row.getValue() / all, row.getKey());
        shown += row.getValue();
      }
    }
    System.out.printf("%5.1f %%  others%n", 100.0 * (all - shown) / Math.max(1, all));
  }

  private static String part(RecordedEvent event) {
    var stack = event.getStackTrace();
    if (stack == null) {
      return "no stack";
    }
    for (RecordedFrame frame : stack.getFrames()) {
      var type = frame.getMethod().getType().getName();
      for (var part : PARTS.entrySet()) {
        if (type.startsWith(part.getKey())) {
          return part.getValue();
        }
      }
      if (type.startsWith("social.feed.")) {
        return "platform: " + module(type);
      }
    }
    return JDK_ONLY;
  }

  /** Returns the first three parts of a name, for example {@code social.feed.table}. */
  private static String module(String type) {
    var words = type.split("\\.");
    return String.join(".", List.of(words).subList(0, Math.min(words.length - 1, 4)));
  }

  private static Map<String, String> parts() {
    var parts = new LinkedHashMap<String, String>();
    parts.put("social.feed.engine.", "engine: DynamoDB Local");
    parts.put("social.feed.benchmarks.", "benchmark");
    parts.put("com.amazonaws.services.dynamodbv2.", "engine: DynamoDB Local");
    parts.put("com.amazonaws.", "engine: libraries of DynamoDB Local");
    parts.put("org.sqlite.", "engine: SQLite");
    parts.put("com.almworks.", "engine: SQLite");
    parts.put("org.eclipse.jetty.", "engine: HTTP");
    parts.put("org.antlr.", "engine: expressions");
    parts.put("com.amazon.ion.", "engine: libraries of DynamoDB Local");
    parts.put("software.amazon.dynamodb.", "engine: DynamoDB Local");
    parts.put("software.amazon.awssdk.", "AWS SDK");
    parts.put("org.apache.hc.", "HTTP client of the SDK");
    parts.put("org.apache.http.", "HTTP client of the SDK");
    parts.put("org.apache.lucene.", "Lucene");
    parts.put("io.netty.", "Netty");
    parts.put("io.micronaut.", "Micronaut");
    parts.put("reactor.", "Reactor");
    parts.put("com.fasterxml.jackson.", "JSON");
    parts.put("io.micrometer.", "metrics");
    parts.put("com.nimbusds.", "token");
    return parts;
  }
}
