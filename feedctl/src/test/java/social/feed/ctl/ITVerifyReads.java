package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Row;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;
import social.feed.verify.Report;
import social.feed.verify.Verification;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;

/** Which rows a verification reads in addition to those of its walk. */
@ExtendWith(EngineExtension.class)
class ITVerifyReads {
  private static final int FOLLOWERS = 30;

  @Test
  void retainedPosts_areReadOnlyForEntriesWithoutAnEdge(TestTable table, SeedWorld world) {
    var author = world.user("author");
    var post = author.posts("x");
    var rows = new ArrayList<Row>(List.of(entry(post, author.id())));
    for (int i = 0; i < FOLLOWERS; i++) {
      var reader = world.user("reader" + i);
      rows.add(Follow.imported(reader.id(), author.id(), Instant.EPOCH));
      rows.add(entry(post, reader.id()));
    }
    var former = world.user("former").id();
    var stranger = world.user("stranger").id();
    rows.add(new RetainedPosts(former, author.id(), Instant.EPOCH, post.createdAt()));
    rows.add(entry(post, former));
    rows.add(entry(post, stranger));
    table.table().putAll(rows);
    table.requests().take();

    var report = new Verification(table.table(), Optional.empty()).run(() -> {}, _ -> {});

    assertThat(keysRead(table).stream().filter(key -> key.sort().startsWith("KEPT#")).distinct())
        .containsExactlyInAnyOrder(
            RetainedPosts.key(former, author.id()), RetainedPosts.key(stranger, author.id()));
    assertThat(line(report, "valid feed entries").examples())
        .singleElement()
        .asString()
        .contains(entry(post, stranger).key().toString());
  }

  private static FeedEntry entry(Post post, String readerId) {
    return FeedEntry.of(post.ref(), readerId);
  }

  private static List<Key> keysRead(TestTable table) {
    return table.requests().take().stream()
        .filter(BatchGetItemRequest.class::isInstance)
        .flatMap(request -> ((BatchGetItemRequest) request).requestItems().values().stream())
        .flatMap(keys -> keys.keys().stream())
        .map(KeyAttributes::key)
        .toList();
  }

  private static Report.Line line(Report report, String check) {
    return report.lines().stream()
        .filter(line -> line.check().equals(check))
        .findFirst()
        .orElseThrow();
  }
}
