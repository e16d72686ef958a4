package social.feed.api.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.Paged;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Block;
import social.feed.table.row.Keys;
import social.feed.table.row.Row;
import social.feed.table.row.TopAuthor;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * A caller with more blocks than a query returns: the number of calls does not grow with the number
 * of accounts in a response.
 */
class ITManyBlocks {
  private static final int BLOCKS = AccessPattern.FEED_014.maxPage() + 1;
  private static final int MANY = 30;

  private final AtomicInteger calls = new AtomicInteger();
  private FeedServer server;
  private Api caller;
  private Person bob;
  private List<Person> others;

  /** Counts the calls to the table. */
  private final class Counting implements Wire {
    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      calls.incrementAndGet();
      return table.apply(request);
    }
  }

  @BeforeEach
  void start() {
    server = FeedServer.start(Map.of(), new Counting());
    SeedWorld world = server.world();
    Person me = world.user("me");
    caller = server.as(me);
    bob = world.user("bob");
    others = IntStream.range(1, MANY).mapToObj(i -> world.user("other" + i)).toList();
    var now = Timestamps.now(server.clock());
    server
        .table()
        .table()
        .putAll(
            IntStream.range(0, BLOCKS).mapToObj(i -> new Block(me.id(), "x" + i, now)).toList());
    // The row sorts after those of the caller's own blocks.
    bob.blocks(me);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int calls(String path) {
    calls.set(0);
    Expect.status(200, caller.get(path));
    return calls.get();
  }

  @Test
  void relationships_ofManyAccounts_takeAsManyCallsAsOfOne() {
    String one = "/v1/relationships?ids=" + bob.id();
    String many =
        one + others.stream().map(other -> "," + other.id()).collect(Collectors.joining());

    assertThat(calls(many)).isEqualTo(calls(one));
    assertThat(caller.get(many).text())
        .contains(
            "{\"id\":\""
                + bob.id()
                + "\",\"following\":false,\"followed_by\":false,\"mutual\":false,\"special\":false,"
                + "\"blocking\":false,\"blocked_by\":true,\"muting\":false}");
  }

  @Test
  void leaderboard_ofManyAuthors_takesAsManyCallsAsOfTwo() {
    String month = Keys.month(Instant.now());
    // Without the period, the request may be in the next month already.
    String path = "/v1/leaderboards/authors?by=gained&limit=100&period=" + month;
    rank(month, List.of(bob, others.getFirst()));
    int ofTwo = calls(path);
    rank(month, others);

    assertThat(calls(path)).isEqualTo(ofTwo);
    Answer shown = caller.get(path);
    assertThat(Paged.ids(shown))
        .containsExactlyInAnyOrderElementsOf(others.stream().map(Person::id).toList());
  }

  private void rank(String month, List<Person> authors) {
    List<Row> rows = new ArrayList<>();
    for (Person author : authors) {
      rows.add(TopAuthor.empty(month, author.id()).plus(Map.of(TopAuthor.GAINED, 1L), Map.of()));
    }
    server.table().table().putAll(rows);
  }
}
