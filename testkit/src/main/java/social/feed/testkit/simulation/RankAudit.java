package social.feed.testkit.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.Visibility;

/**
 * What authors and tags are ranked by is what the edges and the public posts of the model add up
 * to. A tag's uses are the sum of its rows; only tags of the world's own are compared, and hours
 * that still matter.
 *
 * @param since the oldest hour that does
 */
record RankAudit(ReferenceModel truth, Collection<Row> rows, String tag, String since) {
  List<String> violations() {
    var violations = new ArrayList<String>();
    compare("gained", gainedInTruth(), gained(), violations);
    compare("uses of " + tag, usesInTruth(), uses(), violations);
    return violations;
  }

  private Map<Key, Long> gainedInTruth() {
    return truth.edges.values().stream()
        .collect(
            Collectors.groupingBy(
                edge -> TopAuthor.key(edge.createdAt(), edge.followeeId()), Collectors.counting()));
  }

  private Map<Key, Long> gained() {
    var held = new HashMap<Key, Long>();
    for (var row : rows) {
      if (row instanceof TopAuthor author && author.gained() != 0) {
        held.put(author.key(), author.gained());
      }
    }
    return held;
  }

  private Map<String, Long> usesInTruth() {
    return truth.posts.values().stream()
        .filter(post -> post.visibility() == Visibility.PUBLIC && post.tags().contains(tag))
        .map(post -> TagTrend.hour(post.createdAt()))
        .filter(hour -> hour.compareTo(since) >= 0)
        .collect(Collectors.groupingBy(hour -> hour, Collectors.counting()));
  }

  private Map<String, Long> uses() {
    var held = new TreeMap<String, Long>();
    for (var row : rows) {
      if (row instanceof TagTrend trend && trend.tag().equals(tag)) {
        trend.uses().forEach((hour, count) -> held.merge(hour, count, Long::sum));
      }
    }
    held.entrySet().removeIf(use -> use.getValue() == 0 || use.getKey().compareTo(since) < 0);
    return held;
  }

  private static <K> void compare(
      String what, Map<K, Long> expected, Map<K, Long> held, List<String> violations) {
    if (!expected.equals(held)) {
      violations.add(what + ": " + held + " instead of " + expected);
    }
  }
}
