package social.feed.api.edge.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import social.feed.api.http.Answer;
import social.feed.api.http.FeedServer;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** Compares the cost headers of every route with the units that the table reported. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITCostHeaders {
  /** The operations that continue to read after their headers are sent. */
  private static final String EXPORT = "get /v1/users/me/export";

  private final Bill bill = new Bill();
  private final FeedServer server =
      FeedServer.start(
          // After the first poll, whose cost is in the headers, a stream must not read.
          Map.of("feed.live.poll", "1m", "feed.live.idle-poll", "1m"), bill);

  @AfterAll
  void stop() {
    server.close();
  }

  /** The units that the table reported for the calls on a connection. */
  private static final class Bill implements Wire {
    private int calls;
    private double read;
    private double write;

    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      count();
      A answer = table.apply(request);
      note(answer);
      return answer;
    }

    private synchronized void count() {
      calls++;
    }

    private synchronized void note(Object answer) {
      switch (answer) {
        case GetItemResponse r -> read += r.consumedCapacity().capacityUnits();
        case QueryResponse r -> read += r.consumedCapacity().capacityUnits();
        case BatchGetItemResponse r -> read += sum(r.consumedCapacity());
        case PutItemResponse r -> write += r.consumedCapacity().capacityUnits();
        case UpdateItemResponse r -> write += r.consumedCapacity().capacityUnits();
        case DeleteItemResponse r -> write += r.consumedCapacity().capacityUnits();
        case BatchWriteItemResponse r -> write += sum(r.consumedCapacity());
        case TransactWriteItemsResponse r -> write += sum(r.consumedCapacity());
        default -> throw new AssertionError("No cost is defined for " + answer);
      }
    }

    private static double sum(List<ConsumedCapacity> reported) {
      return reported.stream().mapToDouble(ConsumedCapacity::capacityUnits).sum();
    }

    synchronized void clear() {
      calls = 0;
      read = 0;
      write = 0;
    }

    synchronized void assertIsOn(Answer answer, String what) {
      if (calls == 0 || isSecret(answer)) {
        assertThat(answer.header("X-Consumed-Read-Units")).as(what).isEmpty();
        assertThat(answer.header("X-Consumed-Write-Units")).as(what).isEmpty();
      } else {
        assertThat(units(answer, "X-Consumed-Read-Units")).as(what).isEqualTo(read);
        assertThat(units(answer, "X-Consumed-Write-Units")).as(what).isEqualTo(write);
      }
    }

    /** A hidden and a missing resource have different costs. */
    private static boolean isSecret(Answer answer) {
      return answer.status() == 404 || answer.text().contains("\"reason\":\"unavailable\"");
    }

    private static double units(Answer answer, String header) {
      return Double.parseDouble(answer.header(header).orElse("-1"));
    }

    synchronized double total() {
      return read + write;
    }
  }

  @Test
  void answers_sayWhatTheTableReported_alsoThoseOfRefusals() {
    double total = 0;
    for (String operation : RightRequests.operations(server).keySet()) {
      if (operation.equals(EXPORT)) {
        continue;
      }
      RightRequests requests = new RightRequests(server, server.world());
      for (Person person : List.of(requests.other(), requests.owner())) {
        var api = server.as(person);
        bill.clear();

        Answer answer = requests.send(api, operation, person);

        bill.assertIsOn(answer, operation + " -> " + answer.text());
        total += bill.total();
      }
    }
    assertThat(total).as("units of all together").isGreaterThan(150);
  }
}
