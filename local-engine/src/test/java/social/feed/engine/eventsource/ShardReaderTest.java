package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.engine.eventsource.TestRecords.sequenceNumber;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.ExpiredIteratorException;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsRequest;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorResponse;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TrimmedDataAccessException;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

class ShardReaderTest {

  private final Script streams = new Script();

  @Test
  void read_followsIteratorsToTheEndOfTheShard() {
    streams.answer(() -> page("i2", 1, 2));
    streams.answer(() -> page("i3"));
    streams.answer(() -> page(null, 3));
    streams.answer(() -> page(null, 4));
    streams.answer(() -> page(null));
    ShardReader reader = reader(null);

    assertThat(numbers(reader.read())).containsExactly(1, 2);
    assertThat(reader.read()).isEmpty();
    assertThat(reader.hasEnded()).isFalse();
    assertThat(numbers(reader.read())).containsExactly(3);
    assertThat(numbers(reader.read())).as("written before the end, on no page").containsExactly(4);
    assertThat(reader.hasEnded()).isFalse();
    assertThat(reader.read()).isEmpty();
    assertThat(reader.hasEnded()).isTrue();
    assertThat(reader.read()).isEmpty();
    assertThat(reader.lastRead()).isEqualTo(sequenceNumber(4));
    assertThat(streams.requests)
        .containsExactly(
            "TRIM_HORIZON null",
            "get it-1",
            "get i2",
            "get i3",
            "AFTER_SEQUENCE_NUMBER " + sequenceNumber(3),
            "get it-2",
            "AFTER_SEQUENCE_NUMBER " + sequenceNumber(4),
            "get it-3");
  }

  @Test
  void read_withCheckpoint_startsAfterIt() {
    streams.answer(() -> page("i2", 6));
    assertThat(numbers(reader(sequenceNumber(5)).read())).containsExactly(6);
    assertThat(streams.requests.getFirst()).isEqualTo("AFTER_SEQUENCE_NUMBER " + sequenceNumber(5));
  }

  @Test
  void read_iteratorExpired_continuesAfterTheLastRecordRead() {
    streams.answer(() -> page("i2", 1, 2));
    streams.answer(
        () -> {
          throw ExpiredIteratorException.builder().message("expired").build();
        });
    streams.answer(() -> page("i4", 3));
    ShardReader reader = reader(null);

    assertThat(numbers(reader.read())).containsExactly(1, 2);
    assertThat(numbers(reader.read())).containsExactly(3);
    assertThat(streams.requests)
        .containsExactly(
            "TRIM_HORIZON null",
            "get it-1",
            "get i2",
            "AFTER_SEQUENCE_NUMBER " + sequenceNumber(2),
            "get it-2");
  }

  @Test
  void read_checkpointTrimmed_continuesAtTheTrimHorizon() {
    streams.answer(ShardReaderTest::trimmed);
    streams.answer(() -> page("i3", 9));
    streams.answer(ShardReaderTest::trimmed);
    streams.answer(() -> page("i5", 9));
    ShardReader reader = reader(sequenceNumber(1));

    assertThat(numbers(reader.read())).containsExactly(9);
    assertThat(streams.requests)
        .containsExactly(
            "AFTER_SEQUENCE_NUMBER " + sequenceNumber(1),
            "get it-1",
            "TRIM_HORIZON null",
            "get it-2",
            "AFTER_SEQUENCE_NUMBER " + sequenceNumber(1),
            "get it-3",
            "TRIM_HORIZON null",
            "get it-4");
  }

  @Test
  void read_checkpointTrimmed_logsALoss() {
    streams.answer(() -> trimmed());
    streams.answer(() -> page("i3", 9));
    streams.answer(() -> trimmed());
    streams.answer(() -> page("i5", 9));
    ShardReader reader = reader(sequenceNumber(1));
    assertThat(LoggedErrors.of(ShardReader.class, reader::read))
        .singleElement()
        .asString()
        .contains("Data is lost: after record " + sequenceNumber(1));
  }

  /** All were older than a day, and then a new one was written. */
  @Test
  void read_newRecordAfterTrimmedOnes_isNoLoss() {
    streams.answer(() -> trimmed());
    streams.answer(() -> page("i3", 1, 2));
    streams.answer(() -> page("i4", 2));
    ShardReader reader = reader(sequenceNumber(1));
    var read = new ArrayList<Integer>();
    assertThat(LoggedErrors.of(ShardReader.class, () -> read.addAll(numbers(reader.read()))))
        .isEmpty();
    assertThat(read).containsExactly(2);
  }

  /** DynamoDB Local does this with a shard that was empty when it was opened. */
  @Test
  void read_beginningTrimmedBeforeTheFirstRecord_logsNoLoss() {
    streams.answer(() -> page("i2"));
    streams.answer(() -> trimmed());
    streams.answer(() -> page("i4", 7, 8));
    ShardReader reader = reader(null);
    var read = new ArrayList<Integer>();
    assertThat(
            LoggedErrors.of(
                ShardReader.class,
                () -> {
                  read.addAll(numbers(reader.read()));
                  read.addAll(numbers(reader.read()));
                }))
        .isEmpty();
    assertThat(read).containsExactly(7, 8);
    assertThat(streams.requests)
        .containsExactly(
            "TRIM_HORIZON null", "get it-1", "get i2", "TRIM_HORIZON null", "get it-2");
  }

  @Test
  void read_removalOfNoItem_isLeftOut() {
    streams.answer(
        () -> GetRecordsResponse.builder().nextShardIterator("i2").records(ofNoItem(1)).build());
    streams.answer(() -> page("i3", 2));
    ShardReader reader = reader(null);

    assertThat(numbers(reader.read())).containsExactly(2);
    assertThat(reader.lastRead()).isEqualTo(sequenceNumber(2));
  }

  private static Record ofNoItem(int number) {
    return Record.builder()
        .eventName(OperationType.REMOVE)
        .dynamodb(
            d ->
                d.streamViewType(StreamViewType.NEW_AND_OLD_IMAGES)
                    .sequenceNumber(sequenceNumber(number)))
        .build();
  }

  /** All records of the shard are older than a day, and all were read. */
  @Test
  void read_beginningIsTrimmedToo_isTheTip() {
    streams.answer(ShardReaderTest::trimmed);
    streams.answer(ShardReaderTest::trimmed);
    streams.answer(() -> page("next", 2));
    ShardReader reader = reader(sequenceNumber(1));

    var errors =
        LoggedErrors.of(
            ShardReader.class,
            () -> {
              assertThat(reader.read()).isEmpty();
              assertThat(reader.hasEnded()).isFalse();
              assertThat(reader.lastRead()).isEqualTo(sequenceNumber(1));
              assertThat(numbers(reader.read())).containsExactly(2);
            });

    assertThat(errors).isEmpty();
    assertThat(streams.requests)
        .containsExactly(
            "AFTER_SEQUENCE_NUMBER " + sequenceNumber(1),
            "get it-1",
            "TRIM_HORIZON null",
            "get it-2",
            "AFTER_SEQUENCE_NUMBER " + sequenceNumber(1),
            "get it-3");
  }

  @Test
  void read_shardGone_hasEnded() {
    streams.answer(
        () -> {
          throw ResourceNotFoundException.builder().message("gone").build();
        });
    ShardReader reader = reader(sequenceNumber(1));

    assertThat(reader.read()).isEmpty();
    assertThat(reader.hasEnded()).isTrue();
  }

  private static GetRecordsResponse trimmed() {
    throw TrimmedDataAccessException.builder().message("trimmed").build();
  }

  private ShardReader reader(@Nullable String after) {
    return new ShardReader(streams, TestRecords.ARN, "shard", after);
  }

  private static GetRecordsResponse page(@Nullable String next, int... numbers) {
    return GetRecordsResponse.builder()
        .nextShardIterator(next)
        .records(Arrays.stream(numbers).mapToObj(TestRecords::sdkRecord).toList())
        .build();
  }

  private static List<Integer> numbers(List<Record> records) {
    return records.stream()
        .map(record -> Integer.parseInt(record.dynamodb().sequenceNumber()))
        .toList();
  }

  /** A stream that returns the prepared responses, in order. */
  private static final class Script implements DynamoDbStreamsClient {

    final List<String> requests = new ArrayList<>();
    private final Deque<Supplier<GetRecordsResponse>> answers = new ArrayDeque<>();
    private int iterators;

    void answer(Supplier<GetRecordsResponse> answer) {
      answers.add(answer);
    }

    @Override
    public GetShardIteratorResponse getShardIterator(GetShardIteratorRequest request) {
      requests.add(request.shardIteratorType() + " " + request.sequenceNumber());
      return GetShardIteratorResponse.builder().shardIterator("it-" + ++iterators).build();
    }

    @Override
    public GetRecordsResponse getRecords(GetRecordsRequest request) {
      requests.add("get " + request.shardIterator());
      return answers.remove().get();
    }

    @Override
    public String serviceName() {
      return "script";
    }

    @Override
    public void close() {}
  }
}
