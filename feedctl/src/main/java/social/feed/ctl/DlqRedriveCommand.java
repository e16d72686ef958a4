package social.feed.ctl;

import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import social.feed.ctl.dlq.LeasedDeadLetter;
import social.feed.ctl.dlq.LeasedMessages;
import social.feed.local.LocalRedrive;
import social.feed.streams.Redrive;
import social.feed.streams.RedriveOutcome;
import social.feed.streams.RedriveOutcome.Applied;
import social.feed.streams.RedriveOutcome.AppliedBefore;
import social.feed.streams.RedriveOutcome.Failed;
import social.feed.table.user.CelebrityRule;

/** {@code ./feed dlq redrive}: applies letters after what was wrong has been put right. */
@Command(
    name = "redrive",
    description =
        "Applies dead letters to the table of the running platform, each once however often this is"
            + " run, and deletes those that were applied. Exits 1 when some were not.",
    mixinStandardHelpOptions = true)
final class DlqRedriveCommand implements Callable<Integer> {
  /** Should it be killed, this is when the letters that it had taken can be had again. */
  private static final Duration HIDDEN = Duration.ofMinutes(2);

  @Spec private CommandSpec spec;

  @Mixin private TableOptions table = new TableOptions();

  @Mixin private QueueOptions queue = new QueueOptions();

  @Mixin private TrendOptions trend = new TrendOptions();

  @Option(
      names = "--celebrity-threshold",
      defaultValue = "100000",
      description = "as the platform was started with (default: ${DEFAULT-VALUE})")
  private long threshold;

  @Option(
      names = "--event-queue-url",
      description =
          "where a crossing of the celebrity threshold is published that was not before;"
              + " required with --queue-url if a letter concerns such a crossing")
  private @Nullable URI events;

  @ArgGroup(multiplicity = "1")
  private DeadLetterChoice choice = new DeadLetterChoice();

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    var redrive =
        LocalRedrive.on(
            table.open(),
            events == null ? queue.events() : QueueOptions.eventsOf(events),
            new CelebrityRule(threshold),
            trend.halfLife());
    try (var letters = queue.open();
        var haul = letters.take(HIDDEN)) {
      long applied = 0;
      long kept = 0;
      for (var letter : haul.letters()) {
        if (!choice.has(letter)) {
          continue;
        }
        if (isApplied(letter, redrive, haul, out)) {
          applied++;
        } else {
          kept++;
        }
      }
      var missing = choice.missing(haul.letters());
      missing.forEach(id -> out.print(DlqShowCommand.unknown(id)));
      out.printf("%,d applied, %,d kept.%n", applied, kept);
      out.print(DlqListCommand.elsewhere(haul));
      out.flush();
      return kept == 0 && missing.isEmpty() ? 0 : 1;
    }
  }

  private static boolean isApplied(
      LeasedDeadLetter held, Redrive redrive, LeasedMessages haul, PrintWriter out) {
    var outcome =
        held.letter()
            .map(redrive::apply)
            .orElseGet(() -> new Failed(held.problem() + ". Drop it if it is not needed"));
    if (!(outcome instanceof Failed)) {
      haul.delete(held);
    }
    out.printf("%s%n  %s%n", held.line(), told(outcome));
    out.flush();
    return !(outcome instanceof Failed);
  }

  private static String told(RedriveOutcome outcome) {
    return switch (outcome) {
      case Applied(var effects) when effects.isEmpty() ->
          "It can be read by now, and nothing follows from it.";
      case Applied(var effects) -> "Applied: " + String.join(", ", effects) + ".";
      case AppliedBefore() ->
          "It was applied before, or counted anew since, or its row is gone; nothing changed.";
      case Failed(var reason) -> "Kept, because it failed again: " + reason + ".";
    };
  }
}
