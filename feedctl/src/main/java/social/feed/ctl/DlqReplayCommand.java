package social.feed.ctl;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import social.feed.ctl.dlq.DiscardedBatch;
import social.feed.local.LocalRedrive;
import social.feed.streams.Redrive;
import social.feed.streams.RedriveOutcome.Failed;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.sink.SinkQueue;
import social.feed.table.media.MediaStore;
import social.feed.table.ranking.TrendingTags;

/** {@code ./feed dlq replay}: applies batches that Lambda discarded. */
@Command(
    name = "replay",
    description =
        "Applies batches that Lambda discarded and wrote to a bucket. Reads files: get them with aws"
            + " s3 sync. Within the 14 days for which the bucket keeps them, a repeated run applies none"
            + " twice. Exits 1 if some records were not applied, or if a folder has no files.",
    mixinStandardHelpOptions = true)
final class DlqReplayCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private TableOptions table = new TableOptions();

  @Option(
      names = QueueOptions.EVENT_QUEUE_URL,
      description =
          "where to publish a crossing of the celebrity threshold that was not published before;"
              + " required only if there is one")
  private @Nullable URI events;

  @Option(
      names = QueueOptions.SINK_QUEUE_URL,
      description =
          "the queue of events on their way to sinks. Required if the platform has sinks; without"
              + " it the events of the records are not published")
  private @Nullable URI sinks;

  @Mixin private MediaOptions media = new MediaOptions();

  @Mixin private SuspicionOptions suspicion = new SuspicionOptions();

  @Parameters(
      paramLabel = "PATH",
      arity = "1..*",
      description = "an object of the bucket, or a folder of them")
  private List<Path> paths = List.of();

  @Override
  public Integer call() throws IOException {
    var out = spec.commandLine().getOut();
    QueueOptions.requirePlaceOf(table, QueueOptions.EVENT_QUEUE_URL, events);
    QueueOptions.requirePlaceOf(table, QueueOptions.SINK_QUEUE_URL, sinks);
    for (var path : paths) {
      if (!Files.exists(path)) {
        throw new IllegalStateException("No file exists at " + path + ".");
      }
    }
    // The other lane counts, so neither the half-life of tags nor the celebrity threshold matters.
    var redrive =
        LocalRedrive.on(
            table.open(),
            QueueOptions.eventsOf(events),
            Optional.empty(),
            media.store(table).orElse(MediaStore.NONE),
            TrendingTags.HALF_LIFE,
            suspicion.rules(),
            sinks(),
            sinks != null);
    long failed = 0;
    long applied = 0;
    boolean isEmpty = false;
    var files = new ArrayList<Path>();
    for (var path : paths) {
      var found = DiscardedBatch.files(path);
      files.addAll(found);
      if (found.isEmpty()) {
        out.printf("No file is in %s.%n", path);
        isEmpty = true;
      }
    }
    for (var file : files) {
      try {
        var batch = DiscardedBatch.read(file);
        long kept = replay(batch, redrive, out);
        failed += kept;
        applied += batch.records().size() - kept;
      } catch (IllegalArgumentException e) {
        out.printf("%s is no discarded batch: %s.%n", file, e.getMessage());
        failed++;
      }
    }
    out.printf("%,d records applied, %,d not.%n", applied, failed);
    if (applied > 0 && sinks == null) {
      out.print(QueueOptions.UNPUBLISHED);
    }
    out.println("Post counts are not repaired here; run ./feed verify --fix.");
    out.flush();
    return failed == 0 && !isEmpty ? 0 : 1;
  }

  private SinkQueue sinks() {
    return (messages, delay) -> {
      if (sinks == null) {
        throw new IllegalStateException(
            "The queue of the sinks is unknown; name it with --sink-queue-url");
      }
      new QueueOptions().sinks(sinks).send(messages, delay);
    };
  }

  /** Applies a batch and returns the number of records that could not be applied. */
  private static long replay(DiscardedBatch batch, Redrive redrive, PrintWriter out) {
    out.printf("%s  %s, %,d records%n", batch.file(), batch.reason(), batch.records().size());
    long failed = 0;
    for (var record : batch.records()) {
      if (redrive.replay(record) instanceof Failed(var reason)) {
        out.printf("  %s failed again: %s.%n", subject(record), reason);
        failed++;
      }
    }
    out.flush();
    return failed;
  }

  private static String subject(DynamodbStreamRecord record) {
    return DeadLetter.of(DeadLetter.DECODE, "", record).subject();
  }
}
