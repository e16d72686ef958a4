package social.feed.ctl.dlq;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;

/** Letters as a table. */
public final class DeadLetterTable {
  private static final int SUBJECT = 60;
  private static final int REASON = 70;

  private DeadLetterTable() {}

  /** A head and a line for each letter; what is long is cut. */
  public static String of(List<LeasedDeadLetter> letters) {
    int handler = width(letters.stream().map(LeasedDeadLetter::handler).toList(), "handler");
    int subject = width(letters.stream().map(DeadLetterTable::subject).toList(), "item");
    var line = "%-10s  %-20s  %-" + handler + "s  %-" + subject + "s  %8s  %s%n";
    return line.formatted("id", "sent", "handler", "item", "received", "reason")
        + letters.stream()
            .map(
                letter ->
                    line.formatted(
                        letter.id(),
                        letter.sentAt().truncatedTo(ChronoUnit.SECONDS),
                        letter.handler(),
                        subject(letter),
                        letter.received(),
                        cut(letter.reason(), REASON)))
            .collect(Collectors.joining());
  }

  private static String subject(LeasedDeadLetter letter) {
    return cut(letter.subject(), SUBJECT);
  }

  private static int width(List<String> cells, String head) {
    return cells.stream().mapToInt(String::length).reduce(head.length(), Math::max);
  }

  /** A key may hold anything, and a line is to stay one. */
  private static String cut(String text, int length) {
    var line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= length ? line : line.substring(0, length - 3) + "...";
  }
}
