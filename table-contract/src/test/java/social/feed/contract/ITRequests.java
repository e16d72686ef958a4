package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.access.AccessPattern;
import social.feed.table.engagement.Comments;
import social.feed.table.engagement.Likes;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.BlocksAndMutesList;
import social.feed.table.graph.FollowEdges;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.Table;
import social.feed.table.media.MediaFiles;
import social.feed.table.notification.Notifications;
import social.feed.table.post.Posts;
import social.feed.table.ranking.TopAuthors;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.suspicion.Suspects;
import social.feed.table.user.Users;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * The literal request of each pattern, for a page after the first where the pattern has pages. Only
 * {@code -Dgoldens.update=true} rewrites the golden file.
 */
@ExtendWith(EngineExtension.class)
class ITRequests {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/requests.txt");
  private static final YearMonth MONTH = YearMonth.of(2026, 11);
  private static final String TIME = "2026-11-20T09:15:00.500Z";

  @Test
  void requests_ofAllPatterns_matchTheGoldenFile(TestTable table) throws IOException {
    var requests = requests(table);
    if (Boolean.getBoolean("goldens.update")) {
      Files.writeString(GOLDEN, requests);
    }

    assertThat(requests).isEqualTo(Files.readString(GOLDEN));
  }

  private static String requests(TestTable table) {
    var calls = calls(table.table());
    assertThat(calls).containsOnlyKeys(AccessPattern.values());
    return calls.entrySet().stream()
        .map(
            call ->
                "# "
                    + call.getKey().id()
                    + " "
                    + call.getKey().title()
                    + "\n"
                    + sent(table, call.getValue()))
        .collect(Collectors.joining("\n"));
  }

  private static Map<AccessPattern, Runnable> calls(Table table) {
    var posts = new Posts(table);
    var follows = new FollowEdges(table);
    var notifications = new Notifications(table, Clock.fixed(ListContract.FIRST, ZoneOffset.UTC));
    var calls = new EnumMap<AccessPattern, Runnable>(AccessPattern.class);
    calls.put(AccessPattern.FEED_001, () -> new Users(table).get("alice"));
    calls.put(AccessPattern.FEED_002, () -> posts.ofAuthor("alice", after(TIME + "#POST#p1")));
    calls.put(
        AccessPattern.FEED_003,
        () -> new HomeFeeds(table).stored("bob", after(TIME + "#3#POST#p1")));
    calls.put(AccessPattern.FEED_004, () -> posts.get("p1"));
    calls.put(
        AccessPattern.FEED_005, () -> new Likes(table).of("p1", 0, after(TIME + "#LIKE#bob")));
    calls.put(AccessPattern.FEED_006, () -> new Comments(table).of("p1", after("COMMENT#c1")));
    calls.put(AccessPattern.FEED_007, () -> posts.withTag("java", after(TIME + "#POST#p1")));
    calls.put(
        AccessPattern.FEED_008, () -> follows.followers("alice", after(TIME + "#FOLLOWER#bob")));
    calls.put(AccessPattern.FEED_009, () -> notifications.unread("alice", after(TIME + "#n1")));
    calls.put(
        AccessPattern.FEED_011, () -> follows.following("bob", after(TIME + "#FOLLOWEE#alice")));
    calls.put(AccessPattern.FEED_012, () -> follows.relationships("bob", List.of("alice")));
    calls.put(
        AccessPattern.FEED_013, () -> notifications.all("alice", after("NOTIF#" + TIME + "#n1")));
    calls.put(
        AccessPattern.FEED_014,
        () ->
            new BlocksAndMutes(table, Clock.fixed(ListContract.FIRST, ZoneOffset.UTC))
                .of("alice", BlocksAndMutesList.BLOCKS, after("BLOCK#bob")));
    calls.put(AccessPattern.FEED_010, () -> new TopAuthors(table).byGained(MONTH, 20));
    calls.put(
        AccessPattern.FEED_015,
        () -> new TrendingTags(table, Duration.ofHours(6)).highest(ListContract.FIRST));
    calls.put(AccessPattern.FEED_016, () -> new Likes(table).by("bob", after(TIME + "#POST#p1")));
    calls.put(
        AccessPattern.FEED_017,
        () -> new Comments(table).by("bob", after(TIME + "#POST#p1#COMMENT#c1")));
    calls.put(
        AccessPattern.FEED_018, () -> new MediaFiles(table).of("bob", after(TIME + "#MEDIA#m1")));
    calls.put(
        AccessPattern.FEED_019,
        () -> new Suspects(table).listed(after("000000000000050#USER#bob")));
    return calls;
  }

  private static PageRequest after(String position) {
    return new PageRequest(20, position);
  }

  private static String sent(TestTable table, Runnable call) {
    table.requests().take();
    call.run();
    return table.requests().take().stream()
        .map(ITRequests::lines)
        // The partitions of a ranking are read concurrently, so their order varies.
        .sorted()
        .collect(Collectors.joining("\n"));
  }

  private static String lines(SdkRequest request) {
    return switch (request) {
      case GetItemRequest r ->
          "GetItem\n" + line("key", r.key()) + line("consistent", r.consistentRead());
      case QueryRequest r -> "Query\n" + query(r);
      case BatchGetItemRequest r ->
          "BatchGetItem\n"
              + r.requestItems().values().stream()
                  .map(ITRequests::keys)
                  .collect(Collectors.joining());
      case SdkRequest r -> throw new AssertionError("No read of a pattern: " + r);
    };
  }

  private static String keys(KeysAndAttributes keys) {
    return keys.keys().stream().map(key -> line("key", key)).collect(Collectors.joining())
        + line("consistent", keys.consistentRead());
  }

  private static String query(QueryRequest request) {
    return line("index", request.indexName())
        + line("condition", request.keyConditionExpression())
        + line("names", new TreeMap<>(request.expressionAttributeNames()))
        + line("values", request.expressionAttributeValues())
        + line("start", request.exclusiveStartKey())
        + line("filter", request.filterExpression())
        + line("limit", request.limit())
        + line("forward", request.scanIndexForward())
        + line("consistent", request.consistentRead());
  }

  private static String line(String name, Map<String, AttributeValue> values) {
    var texts = new TreeMap<String, String>();
    values.forEach((key, value) -> texts.put(key, value.s()));
    return line(name, (Object) texts);
  }

  private static String line(String name, @Nullable Object value) {
    return "  %-10s %s\n".formatted(name, value == null || value.equals(Map.of()) ? "-" : value);
  }
}
