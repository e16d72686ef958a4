package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The last records of a shard that ends while it is read. */
class ITShardEnd {
  private static final int SHARDS = 300;

  private final EventSourceFixture fixture = new EventSourceFixture();

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void recordsBeforeTheEnd_areRead_howeverOftenTheShardIsReadMeanwhile() throws Exception {
    @Nullable String shard = null;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 1; i <= SHARDS; i++) {
        shard = newest(shard);
        var reader = new ShardReader(fixture.streams, fixture.arn, shard, null);
        Callable<List<String>> toItsEnd =
            () -> {
              var numbers = new ArrayList<String>();
              while (!reader.hasEnded()) {
                reader.read().forEach(one -> numbers.add(one.dynamodb().keys().toString()));
              }
              return numbers;
            };
        var read = threads.submit(toItsEnd);
        fixture.put(2 * i, 2 * i + 1);
        fixture.engine.rollShards();

        assertThat(read.get()).as("records of shard %d", i).hasSize(2);
      }
    }
  }

  private String newest(@Nullable String before) {
    return fixture
        .streams
        .describeStream(request -> request.streamArn(fixture.arn).exclusiveStartShardId(before))
        .streamDescription()
        .shards()
        .getLast()
        .shardId();
  }
}
