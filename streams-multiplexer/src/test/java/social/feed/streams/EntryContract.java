package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.engine.LocalQueue;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.SqsDeadLetters;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.Follow;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.model.Message;

/** The contract of all entries by which events come in. */
abstract class EntryContract {
  static final String SHARD = "shardId-00000001772366400000-00000001";

  /** Gives an event to the entry of a lane. */
  abstract TimeWindowEventResponse handle(Lane lane, DynamodbTimeWindowEvent event);

  abstract Resources resources();

  /** The resources of an entry: a table, and the queue of its dead letters. */
  record Resources(TestTable table, LocalQueue queue, String queueUrl) implements AutoCloseable {
    static Resources start() {
      var table = TestTable.start();
      var queue = LocalQueue.start();
      return new Resources(table, queue, queue.createQueue("dead-letters").toString());
    }

    /** Functions have the time of the system. */
    SeedWorld world() {
      return new SeedWorld(table.table(), new SteppingClock(Instant.now()));
    }

    /** The environment of a function in a process of its own. */
    Map<String, String> environment() {
      return Map.of(
          "AWS_ENDPOINT_URL_DYNAMODB", table.endpoint().toString(),
          "AWS_ENDPOINT_URL_SQS", queue.endpoint().toString(),
          "FEED_MULTIPLEXER_TABLE", table.table().name(),
          "FEED_MULTIPLEXER_DEAD_LETTER_QUEUE_URL", queueUrl,
          "FEED_MULTIPLEXER_EVENT_QUEUE_URL", queueUrl);
    }

    @Override
    public void close() {
      queue.close();
      table.close();
    }
  }

  @Test
  void plainEvent_hasItsEffectsAndNoCounts() {
    var world = world();
    var ann = world.user("ann");
    var edge = world.user("bob").follows(ann);
    var response = handle(Lane.EFFECTS, event(StreamRecords.inserted(1, edge)));
    assertThat(response.getBatchItemFailures()).isEmpty();
    assertThat(world.notifications.unread(ann.id(), PageRequest.first(5)).items()).hasSize(1);
    assertThat(ann.account().followersCount()).isZero();
  }

  @Test
  void windowEvent_countsOnceAndReturnsItsState() {
    var world = world();
    var ann = world.user("ann");
    var edge = world.user("bob").follows(ann);
    for (int time = 1; time <= 2; time++) {
      var event = window(StreamRecords.inserted(1, edge));
      event.setState(Map.of("kept", "so"));
      var response = handle(Lane.COUNTS, event);
      assertThat(response.getBatchItemFailures()).isEmpty();
      assertThat(response.getState()).isEqualTo(Map.of("kept", "so"));
      assertThat(ann.account().followersCount()).isEqualTo(1);
    }
    assertThat(world.notifications.unreadCount(ann.id())).isZero();
  }

  @Test
  void lastCallOfAWindow_hasNoRecordsAndSucceeds() {
    var event = window();
    event.setIsFinalInvokeForWindow(true);
    assertThat(handle(Lane.COUNTS, event).getBatchItemFailures()).isEmpty();
  }

  @Test
  void postWithoutCounts_isDecoded() {
    var world = world();
    var ann = world.user("ann");
    var post = ann.posts("no tags");
    handle(Lane.EFFECTS, event(StreamRecords.inserted(1, post)));
    assertThat(world.feeds.stored(ann.id(), PageRequest.first(5)).items()).hasSize(1);
    assertThat(ann.account().postsCount()).isEqualTo(1);
  }

  @Test
  void expiry_isRecognized_byTheServicesIdentity() {
    var world = world();
    var ann = world.user("ann");
    var bob = world.user("bob");
    var like = bob.likes(ann.posts("hello"));
    handle(Lane.EFFECTS, event(StreamRecords.inserted(1, like)));
    handle(Lane.EFFECTS, event(StreamRecords.expired(2, like)));
    assertThat(world.notifications.unreadCount(ann.id())).isEqualTo(1);
    handle(Lane.EFFECTS, event(StreamRecords.removed(3, like)));
    assertThat(world.notifications.unreadCount(ann.id())).isZero();
  }

  @Test
  void poison_isADeadLetterWithBothImages_andItsNeighborIsDone() {
    var world = world();
    var ann = world.user("ann");
    var broken = StreamRecords.image(edge("x", ann));
    broken.remove("created_at");
    var poison = StreamRecords.of(1, "MODIFY", broken, broken);
    var good = StreamRecords.inserted(2, world.user("bob").follows(ann));
    assertThat(handle(Lane.EFFECTS, event(poison, good)).getBatchItemFailures()).isEmpty();
    assertThat(world.notifications.unreadCount(ann.id())).isEqualTo(1);
    var deadLetter = deadLetters().getFirst();
    assertThat(deadLetter.messageAttributes())
        .hasEntrySatisfying("handler", it -> assertThat(it.stringValue()).isEqualTo("decode"))
        .hasEntrySatisfying("reason", it -> assertThat(it.stringValue()).contains("created_at"));
    var records = Events.read(deadLetter.body()).getRecords();
    assertThat(records).containsExactly(poison);
    assertThat(records.getFirst().getDynamodb().getOldImage()).isEqualTo(broken);
  }

  @Test
  void poison_withAKeyThatNoMessageMayHold_isADeadLetterToo() {
    var image =
        StreamRecords.attributes(
            Map.of(
                "PK", AttributeValue.fromS("POST#\u0001\uFFFE" + "x".repeat(1_100)),
                "SK", AttributeValue.fromS("\u0002"),
                "entity", AttributeValue.fromS("TEAPOT")));
    var poison = StreamRecords.of(1, "INSERT", null, image);
    assertThat(handle(Lane.EFFECTS, event(poison)).getBatchItemFailures()).isEmpty();
    assertThat(deadLetters())
        .singleElement()
        .satisfies(
            deadLetter ->
                assertThat(Events.read(deadLetter.body()).getRecords()).containsExactly(poison));
  }

  @Test
  void poison_inAWindow_isADeadLetterWithItsShard() {
    var ann = world().user("ann");
    var broken = StreamRecords.image(edge("x", ann));
    broken.remove("created_at");
    handle(Lane.COUNTS, window(StreamRecords.of(1, "INSERT", null, broken)));
    assertThat(deadLetters())
        .extracting(SqsDeadLetters::read)
        .singleElement()
        .satisfies(
            deadLetter -> {
              assertThat(deadLetter.handler()).isEqualTo(DeadLetter.COUNTS);
              assertThat(deadLetter.shardId()).contains(SHARD);
              assertThat(deadLetter.isTruncated()).isFalse();
              assertThat(deadLetter.key()).isEqualTo(edge("x", ann).key());
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {100_000, 130_000, 131_000, 200_000, 400_000})
  void poison_ofAnySize_isADeadLetter_andItsNeighborIsDone(int size) {
    var world = world();
    var ann = world.user("ann");
    var broken = StreamRecords.image(edge("x", ann));
    broken.remove("created_at");
    broken.put("large", StreamRecords.text("é".repeat(size / 2)));
    var poison = StreamRecords.of(1, "MODIFY", broken, broken);
    var good = StreamRecords.inserted(2, world.user("bob").follows(ann));
    assertThat(handle(Lane.EFFECTS, event(poison, good)).getBatchItemFailures()).isEmpty();
    assertThat(world.notifications.unreadCount(ann.id())).isEqualTo(1);
    var deadLetter = SqsDeadLetters.read(deadLetters().getFirst());
    var image = deadLetter.record().getDynamodb().getOldImage();
    assertThat(deadLetter.isTruncated()).isEqualTo(size > 130_000);
    assertThat(deadLetter.key()).isEqualTo(edge("x", ann).key());
    assertThat(deadLetter.sequenceNumber()).isEqualTo(poison.getDynamodb().getSequenceNumber());
    if (deadLetter.isTruncated()) {
      assertThat(image).containsOnlyKeys("PK", "SK", "entity");
    } else {
      assertThat(image).isEqualTo(broken);
    }
  }

  SeedWorld world() {
    return resources().world();
  }

  private Follow edge(String follower, Person followee) {
    return Follow.of(follower, followee.id(), SampleRowLists.AT);
  }

  List<Message> deadLetters() {
    try (var client = resources().queue().newClient()) {
      var deadLetters =
          client
              .receiveMessage(
                  r ->
                      r.queueUrl(resources().queueUrl())
                          .maxNumberOfMessages(10)
                          .messageAttributeNames("All"))
              .messages();
      deadLetters.forEach(
          deadLetter ->
              client.deleteMessage(
                  d ->
                      d.queueUrl(resources().queueUrl())
                          .receiptHandle(deadLetter.receiptHandle())));
      return deadLetters;
    }
  }

  static DynamodbTimeWindowEvent event(DynamodbStreamRecord... records) {
    var event = new DynamodbTimeWindowEvent();
    event.setRecords(List.of(records));
    return event;
  }

  static DynamodbTimeWindowEvent window(DynamodbStreamRecord... records) {
    var event = event(records);
    event.setShardId(SHARD);
    event.setState(Map.of());
    return event;
  }
}
