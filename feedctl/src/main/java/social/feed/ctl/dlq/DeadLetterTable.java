package social.feed.ctl.dlq;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import social.feed.local.dlq.LeasedDeadLetter;

/** Renders dead letters as a table. */
public final class DeadLetterTable {
  private static final int SUBJECT = 60;
  private static final int REASON = 70;

  private DeadLetterTable() {}

  /** Returns a header and a line for each dead letter; long cells are truncated. */
  public static String of(List<LeasedDeadLetter> deadLetters) {
    int handler = width(deadLetters.stream().map(LeasedDeadLetter::handler).toList(), "handler");
    int subject = width(deadLetters.stream().map(DeadLetterTable::subject).toList(), "item");
    var line = "%-10s  %-20s  %-" + handler + "s  %-" + subject + "s  %8s  %s%n";
    return line.formatted("id", "sent", "handler", "item", "received", "reason")
        + deadLetters.stream()
            .map(
                deadLetter ->
                    line.formatted(
                        deadLetter.id(),
                        deadLetter.sentAt().truncatedTo(ChronoUnit.SECONDS),
                        deadLetter.handler(),
                        subject(deadLetter),
                        deadLetter.received(),
                        truncated(deadLetter.reason(), REASON)))
            .collect(Collectors.joining());
  }

  private static String subject(LeasedDeadLetter deadLetter) {
    return truncated(deadLetter.subject(), SUBJECT);
  }

  private static int width(List<String> cells, String head) {
    return cells.stream().mapToInt(String::length).reduce(head.length(), Math::max);
  }

  /** Replaces control characters, which a key may contain, and truncates the text. */
  private static String truncated(String text, int length) {
    var line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= length ? line : line.substring(0, length - 3) + "...";
  }
}
