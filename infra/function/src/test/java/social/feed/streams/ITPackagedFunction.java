package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse.BatchItemFailure;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import social.feed.streams.FunctionProcess.Launch;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.log.PlatformMetric;
import social.feed.table.log.Pseudonyms;
import social.feed.table.row.Follow;
import social.feed.table.row.Media;
import social.feed.table.row.MediaRemoval;
import social.feed.testkit.LongRunning;

/**
 * The zip under AWS's own runtime client: the package passes the contract that the function passes
 * in process. The client has native code for Linux only.
 */
@LongRunning
@EnabledOnOs(OS.LINUX)
class ITPackagedFunction extends EntryContract {
  private static Resources resources;
  private static RuntimeApi api;
  private static FunctionProcess function;
  private static Path work;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException, InterruptedException {
    work = folder;
    resources = Resources.start();
    api = new RuntimeApi();
    var root = Files.createDirectory(folder.resolve("task"));
    FunctionProcess.unpack(root);
    function = FunctionProcess.start(api, Launch.multiplexer(root, work, resources.environment()));
    api.awaitReady();
  }

  @AfterAll
  static void stop() {
    function.close();
    api.close();
    resources.close();
  }

  @Override
  TimeWindowEventResponse handle(Lane lane, DynamodbTimeWindowEvent event) {
    try {
      return answered(api, lane, event);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TimeWindowEventResponse answered(
      RuntimeApi lambda, Lane lane, DynamodbTimeWindowEvent event) throws InterruptedException {
    var answer = lambda.invoke(lane.alias(), Events.write(event));
    assertThat(answer.failed()).as(answer.body()).isFalse();
    return Events.response(answer.body());
  }

  @Test
  void deadLetters_areLogged() throws IOException {
    poison_inAWindow_isADeadLetterWithItsShard();

    assertThat(Files.readString(FunctionProcess.log(work)))
        .contains("\"level\":\"ERROR\",\"logger\":\"CountsRunner\"")
        .contains("is a dead letter");
  }

  /** The API logs the same hash of the item with the request that wrote it. */
  @Test
  void invocation_isALine_withTheHashOfEachItem_andTheUnits() throws IOException {
    var ann = resources.world().user("ann");
    var edge = resources.world().user("bob").follows(ann);
    handle(Lane.EFFECTS, event(StreamRecords.inserted(1, edge)));

    var line =
        ourLines().stream()
            .filter(it -> it.path("items").asText().contains(Pseudonyms.ofItem(edge.key())))
            .findFirst()
            .orElseThrow();

    assertThat(line.required("lane").asText()).isEqualTo("effects");
    assertThat(line.required("records").asInt()).isEqualTo(1);
    assertThat(line.required("invocation").asText()).isNotBlank();
    assertThat(line.required("Lane").asText()).isEqualTo("effects");
    assertThat(line.required("Table").asText()).isEqualTo(resources.table().table().name());
    var directive = line.at("/_aws/CloudWatchMetrics/0");
    assertThat(directive.required("Namespace").asText()).isEqualTo(PlatformMetric.NAMESPACE);
    assertThat(directive.at("/Dimensions/0").toString()).isEqualTo("[\"Table\",\"Lane\"]");
    for (var metric : directive.required("Metrics")) {
      assertThat(line.required(metric.required("Name").asText()).asDouble()).isPositive();
    }
    assertThat(line.required("WriteUnits").asDouble()).isPositive();
  }

  /** A dead letter names event, item and post, and its stack trace is part of the line. */
  @Test
  void lines_areObjects_andNameNoMember() throws IOException {
    var ann = resources.world().user("ann");
    var broken = StreamRecords.image(Follow.of("carol-Xq7", ann.id(), SampleRowLists.AT));
    broken.remove("created_at");
    var poison = StreamRecords.of(1, "INSERT", null, broken);
    poison.setEventID("7b2a1e90c5d94f0e");
    handle(Lane.EFFECTS, event(poison));

    var found =
        ourLines().stream()
            .filter(line -> line.required("message").asText().contains("is a dead letter"))
            .toList();

    assertThat(found).isNotEmpty();
    assertThat(found.getLast().required("level").asText()).isEqualTo("ERROR");
    assertThat(found.getLast().required("event").asText()).isEqualTo("7b2a1e90c5d94f0e");
    assertThat(found.getLast().required("item").asText()).hasSize(16);
    assertThat(found.getLast().required("stack").asText()).contains("\n\tat social.feed.");
    assertThat(Files.readString(FunctionProcess.log(work))).doesNotContain("carol-Xq7", ann.id());
  }

  /** Returns the lines of the function. The JVM and the runtime client print others. */
  private static List<JsonNode> ourLines() throws IOException {
    var lines = new ArrayList<JsonNode>();
    for (var line : Files.readAllLines(FunctionProcess.log(work))) {
      if (!line.isEmpty() && !line.startsWith("WARNING: ")) {
        lines.add(new ObjectMapper().readTree(line));
      }
    }
    return lines;
  }

  @Test
  void snapshot_isTakenAfterTheTableIsRead_andResponds_whenRestored(@TempDir Path folder)
      throws IOException, InterruptedException {
    var snapStart = new HashMap<>(resources.environment());
    snapStart.put("AWS_LAMBDA_INITIALIZATION_TYPE", "snap-start");
    try (var lambda = new RuntimeApi();
        var _ =
            FunctionProcess.start(
                lambda, Launch.multiplexer(work.resolve("task"), folder, snapStart))) {
      lambda.awaitReady();

      assertThat(lambda.wasRestored()).isTrue();
      assertThat(Files.readString(FunctionProcess.log(folder)))
          .contains("Primed: " + resources.table().table().name())
          .doesNotContain("Not rehearsed");
      assertThat(lambda.invoke(Events.write(event())).failed()).isFalse();
    }
  }

  @Test
  void versionPublishedWhileTheTableDoesNotAnswer_starts(@TempDir Path folder)
      throws IOException, InterruptedException {
    var snapStart = new HashMap<>(resources.environment());
    snapStart.put("AWS_LAMBDA_INITIALIZATION_TYPE", "snap-start");
    snapStart.put("FEED_MULTIPLEXER_TABLE", "no-such-table");
    try (var lambda = new RuntimeApi();
        var _ =
            FunctionProcess.start(
                lambda, Launch.multiplexer(work.resolve("task"), folder, snapStart))) {
      lambda.awaitReady();

      assertThat(Files.readString(FunctionProcess.log(folder))).contains("Not primed");
    }
  }

  @Test
  void tableThatDoesNotAnswer_causesAPartialFailure(@TempDir Path folder)
      throws IOException, InterruptedException {
    var settings = new HashMap<>(resources.environment());
    settings.put("FEED_MULTIPLEXER_TABLE", "no-such-table");
    var ann = resources.world().user("ann");
    var unchanged = StreamRecords.modified(1, ann.account(), ann.account());
    var follow = Follow.of("bob", ann.id(), SampleRowLists.AT);
    try (var lambda = new RuntimeApi();
        var _ =
            FunctionProcess.start(
                lambda, Launch.multiplexer(work.resolve("task"), folder, settings))) {
      var effects =
          answered(lambda, Lane.EFFECTS, event(unchanged, StreamRecords.inserted(2, follow)));
      var counts =
          answered(lambda, Lane.COUNTS, window(unchanged, StreamRecords.inserted(2, follow)));

      assertThat(effects.getBatchItemFailures())
          .extracting(BatchItemFailure::getItemIdentifier)
          .containsExactly(StreamRecords.sequence(2));
      assertThat(counts.getBatchItemFailures())
          .extracting(BatchItemFailure::getItemIdentifier)
          .containsExactly(StreamRecords.sequence(2));
    }
  }

  /** The package has the client of S3 with all that it needs, also in a snapshot. */
  @Test
  void bucketThatDoesNotAnswer_leavesANote(@TempDir Path folder)
      throws IOException, InterruptedException {
    var settings = new HashMap<>(resources.environment());
    settings.put("AWS_LAMBDA_INITIALIZATION_TYPE", "snap-start");
    settings.put("FEED_MEDIA_BUCKET", "images");
    settings.put("FEED_MEDIA_ENDPOINT", "http://127.0.0.1:9");
    var at = SampleRowLists.AT;
    var media =
        new Media(
            TimeOrderedId.named(at, "m"), "ann", "image/png", 9, "f00d", null, at, 3, 2, null);
    try (var lambda = new RuntimeApi();
        var _ =
            FunctionProcess.start(
                lambda, Launch.multiplexer(work.resolve("task"), folder, settings))) {
      lambda.awaitReady();

      var answer = answered(lambda, Lane.EFFECTS, event(StreamRecords.removed(1, media)));

      assertThat(answer.getBatchItemFailures()).isEmpty();
    }
    assertThat(resources.table().table().get(MediaRemoval.key(media.mediaId()))).isPresent();
    assertThat(Files.readString(FunctionProcess.log(folder)))
        .contains("The bucket of media does not answer");
  }

  @Override
  Resources resources() {
    return resources;
  }
}
