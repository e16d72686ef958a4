package social.feed.api.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.Paged;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Follow;
import social.feed.table.row.Row;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.cost.Bill;

/** Lists that show few of the edges that they read: a page examines at most 500 of them. */
class ITSparseLists {
  /** One page examines 500 of them, the next one the rest and the oldest edge. */
  private static final int EDGES = 600;

  private final FeedServer server = FeedServer.start(Map.of("feed.hot.cached", "0s"));

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({"mutuals, 0.5", "common-following, 1"})
  void page_examinesAtMost500Edges_andItsCursorContinues(String list, double unitsAnEdge) {
    SeedWorld world = server.world();
    Person ann = world.user("ann");
    Person bob = world.user("bob");
    Person oldest = world.user("oldest");
    bob.follows(oldest);
    oldest.follows(bob);
    ann.follows(oldest);
    Instant now = Timestamps.now(server.clock());
    server
        .table()
        .table()
        .putAll(
            IntStream.range(0, EDGES)
                .<Row>mapToObj(i -> Follow.of(bob.id(), bob.id() + "-" + i, now.plusMillis(i)))
                .toList());
    Api caller = server.as(ann);
    String path = "/v1/users/" + bob.id() + "/" + list;

    try (Bill bill = server.table().bill()) {
      Answer first = Expect.status(200, caller.get(Paged.path(path, 20, null)));

      assertThat(Paged.ids(first)).isEmpty();
      // Twenty times 25 edges: a page of the index and a batch. The account, and the caller's
      // blocks.
      assertThat(bill.take()).isEqualTo(total(2 * 20 + 2, 20 + 500 * unitsAnEdge + 2));

      Answer second = Expect.status(200, caller.get(Paged.path(path, 20, Paged.next(first))));

      assertThat(Paged.ids(second)).containsExactly(oldest.id());
      assertThat(Paged.next(second)).isNull();
      // Four times 25 edges and the oldest one, whose account and blocks are read.
      assertThat(bill.take())
          .isEqualTo(total(2 * 5 + 2 + 2, 4 + 0.5 + 101 * unitsAnEdge + 2 + 1 + 0.5));
    }
  }

  private static Bill.Total total(long calls, double readUnits) {
    return new Bill.Total(calls, new ConsumedUnits(readUnits, 0));
  }
}
