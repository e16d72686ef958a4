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
import social.feed.table.row.TagUses;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.Visibility;

/**
 * Checks that the stored rankings of authors and tags equal the sums over the model's edges and
 * public posts, and that the uses that the shards brought add up to those of the tag. The audit
 * compares only the world's own tag, and only hours that still count.
 *
 * @param since the oldest hour that counts
 */
record RankAudit(ReferenceModel model, Collection<Row> rows, String tag, String since) {
  List<String> violations() {
    var violations = new ArrayList<String>();
    compare("followers gained", expectedGained(), storedGained(), violations);
    compare("uses of " + tag, expectedUses(), storedUses(), violations);
    compare("uses of " + tag + " by shard", expectedUses(), broughtUses(), violations);
    return violations;
  }

  private Map<Key, Long> expectedGained() {
    return model.edges.values().stream()
        .collect(
            Collectors.groupingBy(
                edge -> TopAuthor.key(edge.createdAt(), edge.followeeId()), Collectors.counting()));
  }

  private Map<Key, Long> storedGained() {
    var stored = new HashMap<Key, Long>();
    for (var row : rows) {
      if (row instanceof TopAuthor author && author.gained() != 0) {
        stored.put(author.key(), author.gained());
      }
    }
    return stored;
  }

  private Map<String, Long> expectedUses() {
    return model.posts.values().stream()
        .filter(post -> post.visibility() == Visibility.PUBLIC && post.tags().contains(tag))
        .map(post -> TagTrend.hour(post.createdAt()))
        .filter(hour -> hour.compareTo(since) >= 0)
        .collect(Collectors.groupingBy(hour -> hour, Collectors.counting()));
  }

  private Map<String, Long> storedUses() {
    var stored = new TreeMap<String, Long>();
    for (var row : rows) {
      if (row instanceof TagTrend trend && trend.tag().equals(tag)) {
        trend.uses().forEach((hour, count) -> stored.merge(hour, count, Long::sum));
      }
    }
    return thatCount(stored);
  }

  private Map<String, Long> broughtUses() {
    var brought = new TreeMap<String, Long>();
    for (var row : rows) {
      if (row instanceof TagUses uses && uses.tag().equals(tag)) {
        brought.merge(uses.hour(), uses.uses(), Long::sum);
      }
    }
    return thatCount(brought);
  }

  private Map<String, Long> thatCount(Map<String, Long> uses) {
    uses.entrySet().removeIf(use -> use.getValue() == 0 || use.getKey().compareTo(since) < 0);
    return uses;
  }

  private static <K> void compare(
      String what, Map<K, Long> expected, Map<K, Long> stored, List<String> violations) {
    if (!expected.equals(stored)) {
      violations.add(what + ": " + stored + " instead of " + expected);
    }
  }
}
