package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.engine.LocalQueue;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.DeadLetterMessage;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.Follow;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.model.Message;

/** What holds whichever way events come in. */
abstract class EntryContract {
  static final String SHARD = "shardId-00000001772366400000-00000001";

  /** Gives an event to the entry. */
  abstract TimeWindowEventResponse handle(DynamodbTimeWindowEvent event);

  abstract Resources resources();

  /** What an entry works on: a table, and the queue of its dead letters. */
  record Resources(TestTable table, LocalQueue queue, String queueUrl) implements AutoCloseable {
    static Resources start() {
      var table = TestTable.start();
      var queue = LocalQueue.start();
      return new Resources(table, queue, queue.createQueue("letters").toString());
    }

    SeedWorld world() {
      return new SeedWorld(table.table(), table.clock());
    }

    /** What tells a function of them that runs in a process of its own. */
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
    var response = handle(event(StreamRecords.inserted(1, edge)));
    assertThat(response.getBatchItemFailures()).isEmpty();
    assertThat(world.notifications.unread(ann.id(), PageRequest.first(5)).items()).hasSize(1);
    assertThat(ann.account().followersCount()).isZero();
  }

  @Test
  void windowEvent_countsOnceAndHandsItsStateOn() {
    var world = world();
    var ann = world.user("ann");
    var edge = world.user("bob").follows(ann);
    for (int time = 1; time <= 2; time++) {
      var event = window(StreamRecords.inserted(1, edge));
      event.setState(Map.of("kept", "so"));
      var response = handle(event);
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
    assertThat(handle(event).getBatchItemFailures()).isEmpty();
  }

  @Test
  void postWithNothingCountedYet_isRead() {
    var world = world();
    var ann = world.user("ann");
    var post = ann.posts("no tags");
    handle(event(StreamRecords.inserted(1, post)));
    assertThat(world.feeds.stored(ann.id(), PageRequest.first(5)).items()).hasSize(1);
    assertThat(ann.account().postsCount()).isEqualTo(1);
  }

  @Test
  void expiry_isTold_byTheServicesIdentity() {
    var world = world();
    var ann = world.user("ann");
    var bob = world.user("bob");
    var like = bob.likes(ann.posts("hello"));
    handle(event(StreamRecords.inserted(1, like)));
    handle(event(StreamRecords.expired(2, like)));
    assertThat(world.notifications.unreadCount(ann.id())).isEqualTo(1);
    handle(event(StreamRecords.removed(3, like)));
    assertThat(world.notifications.unreadCount(ann.id())).isZero();
  }

  @Test
  void poison_isALetterWithBothImages_andItsNeighbourIsDone() {
    var world = world();
    var ann = world.user("ann");
    var broken = StreamRecords.image(edge("x", ann));
    broken.remove("created_at");
    var poison = StreamRecords.of(1, "MODIFY", broken, broken);
    var good = StreamRecords.inserted(2, world.user("bob").follows(ann));
    assertThat(handle(event(poison, good)).getBatchItemFailures()).isEmpty();
    assertThat(world.notifications.unreadCount(ann.id())).isEqualTo(1);
    var letter = letters().getFirst();
    assertThat(letter.messageAttributes())
        .hasEntrySatisfying("handler", it -> assertThat(it.stringValue()).isEqualTo("decode"))
        .hasEntrySatisfying("reason", it -> assertThat(it.stringValue()).contains("created_at"));
    var records = Events.read(letter.body()).getRecords();
    assertThat(records).containsExactly(poison);
    assertThat(records.getFirst().getDynamodb().getOldImage()).isEqualTo(broken);
  }

  @Test
  void poison_withAKeyThatNoMessageMayHold_isALetterToo() {
    var image =
        StreamRecords.attributes(
            Map.of(
                "PK", AttributeValue.fromS("POST#\u0001\uFFFE" + "x".repeat(1_100)),
                "SK", AttributeValue.fromS("\u0002"),
                "entity", AttributeValue.fromS("TEAPOT")));
    var poison = StreamRecords.of(1, "INSERT", null, image);
    assertThat(handle(event(poison)).getBatchItemFailures()).isEmpty();
    assertThat(letters())
        .singleElement()
        .satisfies(
            letter -> assertThat(Events.read(letter.body()).getRecords()).containsExactly(poison));
  }

  @Test
  void poison_inAWindow_isALetterThatKnowsItsShard() {
    var ann = world().user("ann");
    var broken = StreamRecords.image(edge("x", ann));
    broken.remove("created_at");
    handle(window(StreamRecords.of(1, "INSERT", null, broken)));
    assertThat(letters())
        .extracting(DeadLetterMessage::read)
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.handler()).isEqualTo(DeadLetter.COUNTS);
              assertThat(letter.shardId()).contains(SHARD);
              assertThat(letter.isCut()).isFalse();
              assertThat(letter.key()).isEqualTo(edge("x", ann).key());
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {100_000, 130_000, 131_000, 200_000, 400_000})
  void poison_howeverLarge_isALetterAndItsNeighbourIsDone(int size) {
    var world = world();
    var ann = world.user("ann");
    var broken = StreamRecords.image(edge("x", ann));
    broken.remove("created_at");
    broken.put("large", StreamRecords.text("é".repeat(size / 2)));
    var poison = StreamRecords.of(1, "MODIFY", broken, broken);
    var good = StreamRecords.inserted(2, world.user("bob").follows(ann));
    assertThat(handle(event(poison, good)).getBatchItemFailures()).isEmpty();
    assertThat(world.notifications.unreadCount(ann.id())).isEqualTo(1);
    var letter = DeadLetterMessage.read(letters().getFirst());
    var image = letter.record().getDynamodb().getOldImage();
    assertThat(letter.isCut()).isEqualTo(size > 130_000);
    assertThat(letter.key()).isEqualTo(edge("x", ann).key());
    assertThat(letter.sequenceNumber()).isEqualTo(poison.getDynamodb().getSequenceNumber());
    if (letter.isCut()) {
      assertThat(image).containsOnlyKeys("PK", "SK", "entity");
    } else {
      assertThat(image).isEqualTo(broken);
    }
  }

  private SeedWorld world() {
    return resources().world();
  }

  private Follow edge(String follower, Person followee) {
    return Follow.of(follower, followee.id(), SampleRowLists.AT);
  }

  private List<Message> letters() {
    try (var client = resources().queue().newClient()) {
      var letters =
          client
              .receiveMessage(
                  r ->
                      r.queueUrl(resources().queueUrl())
                          .maxNumberOfMessages(10)
                          .messageAttributeNames("All"))
              .messages();
      letters.forEach(
          letter ->
              client.deleteMessage(
                  d -> d.queueUrl(resources().queueUrl()).receiptHandle(letter.receiptHandle())));
      return letters;
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
