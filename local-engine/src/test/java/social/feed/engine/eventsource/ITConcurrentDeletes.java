package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.engine.StreamedTestTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

/**
 * Tests that an item that several callers delete at once has one record of its removal. DynamoDB
 * Local sometimes writes another one, without an image.
 */
class ITConcurrentDeletes {
  private static final int ITEMS = 400;
  private static final int CALLERS = 4;

  private EventSourceFixture fixture;

  @BeforeEach
  void start() {
    fixture = new EventSourceFixture();
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void item_deletedByManyAtOnce_isRemovedOnce() {
    for (int i = 0; i < ITEMS; i++) {
      fixture.table.put("p", Integer.toString(i));
    }
    try (var callers = Executors.newFixedThreadPool(CALLERS)) {
      IntStream.range(0, CALLERS).forEach(_ -> callers.submit(this::deleteAll));
    }

    assertThat(removed()).hasSize(ITEMS).doesNotHaveDuplicates();
  }

  private void deleteAll() {
    for (int i = 0; i < ITEMS; i++) {
      var key =
          Map.of("pk", AttributeValue.fromS("p"), "sk", AttributeValue.fromS(Integer.toString(i)));
      fixture.client.deleteItem(d -> d.tableName(StreamedTestTable.NAME).key(key));
    }
  }

  private List<String> removed() {
    var removed = new ArrayList<String>();
    for (var shard :
        fixture.streams.describeStream(d -> d.streamArn(fixture.arn)).streamDescription().shards()) {
      var reader = new ShardReader(fixture.streams, fixture.arn, shard.shardId(), null);
      for (var page = reader.read(); !page.isEmpty(); page = reader.read()) {
        page.stream()
            .filter(record -> record.eventName() == OperationType.REMOVE)
            .map(StreamedTestTable::sortKey)
            .forEach(removed::add);
      }
    }
    return removed;
  }
}
