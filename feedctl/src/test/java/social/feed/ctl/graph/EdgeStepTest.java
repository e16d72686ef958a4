package social.feed.ctl.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import social.feed.table.graph.FollowWriter;
import social.feed.table.row.Follow;

class EdgeStepTest {
  private static Map<String, Follow> edges(String follower, int number) {
    var edges = new TreeMap<String, Follow>();
    IntStream.range(0, number)
        .mapToObj("f%04d"::formatted)
        .forEach(followee -> edges.put(followee, Follow.of(follower, followee, Instant.EPOCH)));
    return edges;
  }

  /** The quota of a follower is written with each batch that has an edge of it. */
  private static long rows(List<Follow> batch) {
    return batch.size() + batch.stream().map(Follow::followerId).distinct().count();
  }

  @Test
  void batches_areTransactionsAsFullAsPossible_withTheQuotasOfTheirFollowers() {
    int most = FollowWriter.MAX_ADOPTED;
    var graph = new LinkedHashMap<String, Map<String, Follow>>();
    graph.put("one", edges("one", 3 * most));
    graph.put("two", edges("two", 1));
    graph.put("three", edges("three", most - 1));

    var batches = EdgeStep.batches(graph);

    assertThat(batches.stream().flatMap(List::stream))
        .containsExactlyElementsOf(
            graph.values().stream().flatMap(edges -> edges.values().stream()).toList());
    assertThat(batches).allSatisfy(batch -> assertThat(rows(batch)).isLessThanOrEqualTo(most));
    assertThat(batches.subList(0, batches.size() - 1))
        .allSatisfy(batch -> assertThat(rows(batch)).isGreaterThanOrEqualTo(most - 1));
  }
}
