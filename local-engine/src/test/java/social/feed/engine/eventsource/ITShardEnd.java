package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
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

  @Test
  void shardThatEndsWhileTheCheckpointsAreRead_isNotReadAgain() throws Exception {
    var function = new Recorder();
    var checkpoints = new SlowCheckpoints();
    fixture.put(1, 5);
    var mapping = EventSourceMapping.named("m").build();
    try (var source = fixture.start(checkpoints, new Subscription(mapping, function))) {
      source.drain(EventSourceFixture.TIMEOUT);
      checkpoints.holdNext(() -> source.status().getFirst().shards().isEmpty());
      fixture.put(6, 10);
      fixture.engine.rollShards();
      fixture.put(11, 15);
      source.drain(EventSourceFixture.TIMEOUT);
    }
    assertThat(function.numbers()).isEqualTo(EventSourceFixture.range(1, 15));
  }

  /** Checkpoints of which one read takes until something has happened. */
  private static final class SlowCheckpoints implements Checkpoints {
    private final Checkpoints stored = Checkpoints.inMemory();
    private final CountDownLatch held = new CountDownLatch(1);
    private volatile @Nullable BooleanSupplier until;

    /** Holds the next read back. Returns when it has read. */
    void holdNext(BooleanSupplier happened) throws InterruptedException {
      until = happened;
      held.await();
    }

    @Override
    public Map<String, Checkpoint> of(String streamArn, String mapping) {
      var read = stored.of(streamArn, mapping);
      var awaited = until;
      until = null;
      if (awaited != null) {
        held.countDown();
        while (!awaited.getAsBoolean()) {
          Thread.yield();
        }
      }
      return read;
    }

    @Override
    public void save(String streamArn, String mapping, String shardId, Checkpoint checkpoint) {
      stored.save(streamArn, mapping, shardId, checkpoint);
    }

    @Override
    public void forget(String streamArn, String mapping) {
      stored.forget(streamArn, mapping);
    }

    @Override
    public void keepOnly(String streamArn, String mapping, Set<String> shardIds) {
      stored.keepOnly(streamArn, mapping, shardIds);
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
