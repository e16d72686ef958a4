package social.feed.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.post.Posts;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Follow;
import social.feed.table.row.Row;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Edges that require more entries than are in memory together. */
@ExtendWith(EngineExtension.class)
class ITFeedCompleteCheck {
  /** The keys that one call reads. */
  private static final int BATCH = 100;

  @Test
  void entries_areReadBeforeThoseOfTheNextEdgeAreExpected(TestTable table, SeedWorld world) {
    var reader = world.user("reader");
    var one = world.user("one");
    var two = world.user("two");
    var edges = List.of(follow(table, reader, one), follow(table, reader, two));
    table.requests().take();

    var drifts = check(table).inspect(edges);

    assertThat(readsBeforePostsOf(List.of(one, two), table))
        .containsExactly(entry(one, 1L), entry(two, 1L + FeedCompleteCheck.TOGETHER / BATCH));
    assertThat(drifts)
        .extracting(Drift::row)
        .containsExactlyElementsOf(edges.stream().map(Row::key).toList());
    assertThat(drifts)
        .extracting(Drift::problem)
        .allMatch(text -> text.contains("is missing from the feed, and 999 others"));
  }

  /** Returns how many calls with keys came before the first query of the posts of each author. */
  private static Map<Person, Long> readsBeforePostsOf(List<Person> authors, TestTable table) {
    var before = new LinkedHashMap<Person, Long>();
    long reads = 0;
    for (var request : table.requests().take()) {
      if (request instanceof BatchGetItemRequest) {
        reads++;
      } else if (request instanceof QueryRequest query) {
        for (var author : authors) {
          if (query.expressionAttributeValues().toString().contains(author.id())) {
            before.putIfAbsent(author, reads);
          }
        }
      }
    }
    return before;
  }

  @Test
  void entriesThatAnEdgeLacks_areDeliveredByOneRepair(TestTable table, SeedWorld world) {
    var reader = world.user("reader");
    var edge = follow(table, reader, world.user("author"));
    var feeds = new HomeFeeds(table.table());

    var drift = check(table).inspect(List.of(edge)).getFirst();

    assertThat(drift.repair().apply(new Repairs(table.table(), table.clock()))).isTrue();
    assertThat(check(table).inspect(List.of(edge))).isEmpty();
    assertThat(feeds.entries(reader.id(), Instant.EPOCH).mapToLong(List::size).sum())
        .isEqualTo(FeedCompleteCheck.TOGETHER);
    assertThat(drift.repair().apply(new Repairs(table.table(), table.clock()))).isFalse();
  }

  private static FeedCompleteCheck check(TestTable table) {
    return new FeedCompleteCheck(
        new TableScanner(table.table()), new AuthorPosts(new Posts(table.table())), table.clock());
  }

  /** Writes an edge, and as many later posts as are in memory together. */
  private static Row follow(TestTable table, Person reader, Person author) {
    var edge = Follow.imported(reader.id(), author.id(), table.clock().instant());
    var rows = new ArrayList<Row>(List.of(edge));
    for (int i = 0; i < FeedCompleteCheck.TOGETHER; i++) {
      rows.add(SamplePosts.of(author.id(), table.clock().instant(), FanOutMode.PUSH));
    }
    table.table().putAll(rows);
    return edge;
  }
}
