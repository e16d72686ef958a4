package social.feed.ctl;

import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import social.feed.local.LocalRedrive;
import social.feed.local.dlq.LeasedDeadLetter;
import social.feed.local.dlq.LeasedMessages;
import social.feed.streams.Redrive;
import social.feed.streams.RedriveOutcome;
import social.feed.streams.RedriveOutcome.Applied;
import social.feed.streams.RedriveOutcome.AppliedBefore;
import social.feed.streams.RedriveOutcome.Failed;
import social.feed.table.media.MediaStore;
import social.feed.table.user.CelebrityRule;

/** {@code ./feed dlq redrive}: applies dead letters after their cause was repaired. */
@Command(
    name = "redrive",
    description =
        "Applies dead letters to the table of the running platform, and deletes those that were"
            + " applied. A repeated run applies none twice. Those of records of another table are"
            + " kept; an event names no table and goes to the queue of sinks that you name. Exits 1"
            + " if some were not applied, or are left with --all, and 2 if the queue and the table are"
            + " not of one stage.",
    mixinStandardHelpOptions = true)
final class DlqRedriveCommand implements Callable<Integer> {
  /** How long received messages stay hidden if this process is killed. */
  private static final Duration HIDDEN = Duration.ofMinutes(2);

  @Spec private CommandSpec spec;

  @Mixin private TableOptions table = new TableOptions();

  @Mixin private QueueOptions queue = new QueueOptions();

  @Mixin private TrendOptions trend = new TrendOptions();

  @Mixin private MediaOptions media = new MediaOptions();

  @Mixin private SuspicionOptions suspicion = new SuspicionOptions();

  @Option(
      names = "--celebrity-threshold",
      description =
          "the threshold that the platform was started with; without it, a count of followers leaves the"
              + " celebrity flag to the next follow or unfollow")
  private @Nullable Long threshold;

  @Option(
      names = QueueOptions.EVENT_QUEUE_URL,
      description =
          "where to publish a crossing of the celebrity threshold that was not published before;"
              + " required with --queue-url if a dead letter contains such a crossing")
  private @Nullable URI events;

  @Option(
      names = QueueOptions.SINK_QUEUE_URL,
      description =
          "the queue of events on their way to sinks. Required with --queue-url if a dead letter holds"
              + " an event, or the platform has sinks; without it the events of the records are not"
              + " published")
  private @Nullable URI sinks;

  @ArgGroup(multiplicity = "1")
  private DeadLetterChoice choice = new DeadLetterChoice();

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    queue.requirePlaceOf(table);
    QueueOptions.requirePlaceOf(table, QueueOptions.EVENT_QUEUE_URL, events);
    QueueOptions.requirePlaceOf(table, QueueOptions.SINK_QUEUE_URL, sinks);
    var redrive =
        LocalRedrive.on(
            table.open(),
            events == null ? queue.events() : QueueOptions.eventsOf(events),
            Optional.ofNullable(threshold).map(CelebrityRule::new),
            media.store(table).orElse(MediaStore.NONE),
            trend.halfLife(),
            suspicion.rules(),
            queue.sinks(sinks),
            queue.knowsSinks(sinks));
    try (var deadLetters = queue.open();
        var leased = deadLetters.receive(HIDDEN)) {
      long applied = 0;
      long kept = 0;
      for (var deadLetter : leased.deadLetters()) {
        if (!choice.has(deadLetter)) {
          continue;
        }
        if (isApplied(deadLetter, redrive, leased, out)) {
          applied++;
        } else {
          kept++;
        }
      }
      var missing = choice.missing(leased.deadLetters());
      missing.forEach(id -> out.print(DlqShowCommand.unknown(id)));
      out.printf("%,d applied, %,d kept.%n", applied, kept);
      if (applied > 0 && !queue.knowsSinks(sinks)) {
        out.print(QueueOptions.UNPUBLISHED);
      }
      out.print(DlqListCommand.elsewhere(leased));
      out.flush();
      return kept == 0 && choice.isComplete(leased) ? 0 : 1;
    }
  }

  private boolean isApplied(
      LeasedDeadLetter held, Redrive redrive, LeasedMessages leased, PrintWriter out) {
    var outcome =
        held.deadLetter()
            .map(redrive::apply)
            .or(
                () ->
                    held.unpublished()
                        .map(event -> LocalRedrive.publishAgain(event, queue.sinks(sinks))))
            .orElseGet(() -> new Failed(held.problem() + ". Drop it if it is not needed"));
    if (!(outcome instanceof Failed)) {
      leased.delete(held);
    }
    out.printf("%s%n  %s%n", held.line(), description(outcome));
    out.flush();
    return !(outcome instanceof Failed);
  }

  private static String description(RedriveOutcome outcome) {
    return switch (outcome) {
      case Applied(var effects) when effects.isEmpty() ->
          "The record is readable now, and has no effects.";
      case Applied(var effects) -> "Applied: " + String.join(", ", effects) + ".";
      case AppliedBefore() ->
          "It was applied before, or recounted since, or its row no longer exists; nothing changed.";
      case Failed(var reason) -> "Kept, because it failed again: " + reason + ".";
    };
  }
}
