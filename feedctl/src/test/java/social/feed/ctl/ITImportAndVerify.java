package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.ctl.graph.EdgeFile;
import social.feed.ctl.graph.GraphImport;
import social.feed.ctl.graph.ImportProgress;
import social.feed.ctl.graph.ImportResult;
import social.feed.ctl.verify.Report;
import social.feed.ctl.verify.Verification;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.table.declaration.Index;
import social.feed.table.home.HomeFeeds;
import social.feed.table.page.Page;
import social.feed.table.page.PageRequest;
import social.feed.table.post.Posts;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.schema.KeyAttributes;
import social.feed.table.store.Backoff;
import social.feed.table.store.Table;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A small graph through the whole platform, and what verify says when something is wrong with it.
 */
class ITImportAndVerify {
  private static final String GRAPH =
      """
      # follower followee
      1 2
      1 3
      2\t3
      3,1

      1 2
      not an edge
      4 4
      b#d 1
      """;
  private static final long CAP = 5_000;

  @TempDir private Path folder = Path.of("");
  private LocalPlatform platform;
  private DynamoDbClient client;
  private Table table;

  @BeforeEach
  void start() {
    platform = LocalPlatform.start(PlatformSettings.inMemory());
    client = client(platform.dynamodb());
    table = new Table(client, PlatformSettings.TABLE, Backoff.standard());
  }

  @AfterEach
  void stop() {
    client.close();
    platform.close();
  }

  @Test
  void graph_isLoadedOnceAndClean() throws IOException {
    var first = load(CAP);
    var second = load(CAP);

    assertThat(first.survey().bad()).isEqualTo(3);
    assertThat(first.survey().examples().stream().map(EdgeFile.Line.Bad::number))
        .containsExactly(8L, 9L, 10L);
    assertThat(first.accounts()).isEqualTo(3);
    assertThat(first.edges()).isEqualTo(4);
    assertThat(first.posts()).isEqualTo(6);
    assertThat(second.accounts() + second.edges() + second.posts()).isZero();
    assertThat(verify().render()).doesNotContain("\n\n");
    assertThat(verify().isClean()).isTrue();
    assertThat(feedOf("1").items()).as("two posts each of 1, 2 and 3").hasSize(6);
  }

  @Test
  void followerBeyondTheCap_isNamedAndTheOthersAreLoaded() throws IOException {
    var result = load(1);

    assertThat(result.refused()).singleElement().asString().contains("1 follows 0");
    assertThat(result.edges()).isEqualTo(2);
    assertThat(verify().isClean()).isTrue();
  }

  @Test
  void wrongCounter_isDrift() throws IOException {
    load(CAP);
    set(User.key("3"), User.FOLLOWERS_COUNT, AttributeValue.fromN("7"));

    assertThat(verify().render()).contains("followers_count is 7, counted are 2");
  }

  @Test
  void missingEntry_isDrift() throws IOException {
    load(CAP);
    new HomeFeeds(table).withdraw(List.of(entry()));

    assertThat(verify().render()).contains(entry().key() + " is missing in the feed");
  }

  @Test
  void foreignEntry_isDrift() throws IOException {
    load(CAP);
    var foreign = FeedEntry.of(postOf("1").ref(), "2");
    new HomeFeeds(table).deliver(List.of(foreign));

    assertThat(verify().render()).contains(foreign.key() + " is of an author who is not followed");
  }

  @Test
  void brokenIndexKey_isDrift() throws IOException {
    load(CAP);
    set(entry().key(), Index.FEED_BY_USER.sortKey(), AttributeValue.fromS("elsewhere"));

    assertThat(verify().render()).contains(Index.FEED_BY_USER.sortKey() + " is");
  }

  private ImportResult load(long cap) throws IOException {
    var file = Files.writeString(folder.resolve("edges.txt"), GRAPH);
    var run = new GraphImport(table, Clock.systemUTC(), silent());
    return run.run(new EdgeFile(file), this::drain, 2, cap);
  }

  private Report verify() {
    return new Verification(table).run(this::drain, _ -> {});
  }

  private void drain() {
    platform.drain(Duration.ofSeconds(60));
  }

  private Post postOf(String userId) {
    var posts = new Posts(table);
    var ref = posts.ofAuthor(userId, PageRequest.first(1)).items().getFirst();
    return posts.get(ref.postId()).orElseThrow();
  }

  /** An entry that is owed: 1 follows 3. */
  private FeedEntry entry() {
    return FeedEntry.of(postOf("3").ref(), "1");
  }

  private Page<?> feedOf(String userId) {
    return new HomeFeeds(table).of(userId, PageRequest.first(50));
  }

  private void set(Key key, String attribute, AttributeValue value) {
    client.updateItem(
        u ->
            u.tableName(PlatformSettings.TABLE)
                .key(KeyAttributes.of(key))
                .updateExpression("SET #a = :v")
                .expressionAttributeNames(Map.of("#a", attribute))
                .expressionAttributeValues(Map.of(":v", value)));
  }

  private static ImportProgress silent() {
    return (_, _) ->
        new ImportProgress.Step() {
          @Override
          public void advance(long done) {}

          @Override
          public void close() {}
        };
  }

  private static DynamoDbClient client(URI endpoint) {
    var builder =
        DynamoDbClient.builder()
            .endpointOverride(endpoint)
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
            .httpClientBuilder(Apache5HttpClient.builder());
    return Table.metered(builder).build();
  }
}
