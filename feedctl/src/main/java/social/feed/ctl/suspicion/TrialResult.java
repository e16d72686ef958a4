package social.feed.ctl.suspicion;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.table.row.SuspicionReason;

/**
 * What a trial found.
 *
 * @param pace how the ordinary accounts followed
 * @param ordinary the accounts of the graph; those that were listed are mistakes
 * @param bots the planted accounts of each kind, by its label
 */
public record TrialResult(String pace, Found ordinary, Map<String, Found> bots) {
  /**
   * How many accounts of a kind were listed.
   *
   * @param accounts all of the kind
   * @param listed those that were listed
   * @param reasons the reasons of those
   */
  public record Found(long accounts, long listed, Set<SuspicionReason> reasons) {
    private double share() {
      return accounts == 0 ? 0 : (double) listed / accounts;
    }
  }

  /** Returns the share of the listed accounts that are bots; 1 if none is listed. */
  public double precision() {
    long listed = listed(bots.values());
    return listed == 0 ? 1 : (double) listed / (listed + ordinary.listed());
  }

  /** Returns the share of the bots that are listed. */
  public double recall() {
    long all = bots.values().stream().mapToLong(Found::accounts).sum();
    return all == 0 ? 0 : (double) listed(bots.values()) / all;
  }

  /** Returns the share of the bots of a kind that are listed. */
  public double recall(String kind) {
    var found = bots.get(kind);
    return found == null ? 0 : found.share();
  }

  private static long listed(Collection<Found> found) {
    return found.stream().mapToLong(Found::listed).sum();
  }

  /** Returns a block of lines. */
  public String plain() {
    var text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "Ordinary accounts follow %s: precision %.3f, recall %.3f%n",
            pace,
            precision(),
            recall()));
    text.append(line("ordinary", ordinary));
    bots.forEach((kind, found) -> text.append(line(kind, found)));
    return text.toString();
  }

  private static String line(String kind, Found found) {
    var reasons =
        found.reasons().stream()
            .map(reason -> reason.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    return String.format(
                Locale.ROOT,
                "  %-28s %,6d of %,6d listed  %s",
                kind,
                found.listed(),
                found.accounts(),
                reasons)
            .stripTrailing()
        + "%n".formatted();
  }
}
