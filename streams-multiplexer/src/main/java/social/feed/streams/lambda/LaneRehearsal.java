package social.feed.streams.lambda;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.helpers.NOPLogger;
import social.feed.streams.EffectHandlers;
import social.feed.streams.Multiplexer;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.user.CelebrityRule;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Lets both lanes handle a like of a post, with a client whose answers are canned: no call reaches
 * a table or a queue. So the classes of an invocation are loaded before the snapshot is taken.
 */
final class LaneRehearsal {
  /** Some hundred calls of a method make the JVM compile it. */
  private static final int TIMES = 20;

  private static final String SEQUENCE = "100000000000000000000000001";
  private static final String SHARD = "shardId-00000000000000000000-00000000";

  private final Multiplexer multiplexer;
  private final InvocationLog log;
  private final String event;

  private LaneRehearsal(Multiplexer multiplexer, InvocationLog log, String event) {
    this.multiplexer = multiplexer;
    this.log = log;
    this.event = event;
  }

  /**
   * Runs it.
   *
   * @throws RuntimeException if a lane fails, which says nothing about the table
   */
  static void run(MultiplexerSettings settings) {
    var clock = Clock.systemUTC();
    var like = new Like("rehearsed-post", "rehearsed-user", "rehearsed-author", clock.instant());
    var builder =
        DynamoDbClient.builder()
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("none", "none")))
            .httpClient(new CannedTable(settings.table(), item(Post.key(like.postId()))));
    try (var client = Table.metered(Table.retrying(builder)).build()) {
      var table = new Table(client, settings.table(), Retry.standard());
      var multiplexer =
          new Multiplexer(
              table,
              new Plan(settings.notificationsLive(), settings.trendHalfLife())
                  .with(settings.suspicion()),
              new EffectHandlers(
                  table,
                  clock,
                  EffectSettings.of(
                      settings.backfillNewest(), BatchSizes.STANDARD, settings.sweeping())),
              new CelebrityRule(settings.celebrityThreshold()),
              _ -> {},
              clock);
      var log = new InvocationLog(settings.table(), clock, NOPLogger.NOP_LOGGER);
      var rehearsal = new LaneRehearsal(multiplexer, log, json(event(like)));
      for (int i = 0; i < TIMES; i++) {
        rehearsal.invoke(Lane.COUNTS);
        rehearsal.invoke(Lane.EFFECTS);
      }
    }
  }

  private void invoke(Lane lane) {
    var batch = serializer(DynamodbTimeWindowEvent.class).fromJson(event);
    var response = log.run("rehearsal", lane, batch, () -> multiplexer.handle(lane, batch));
    serializer(TimeWindowEventResponse.class).toJson(response, new ByteArrayOutputStream());
    if (!response.getBatchItemFailures().isEmpty()) {
      throw new IllegalStateException("The lane " + lane.alias() + " did not handle a like");
    }
  }

  /** The item that counts the like, with as much of it as the count needs. */
  private static Map<String, String> item(Key post) {
    var item = new HashMap<String, String>();
    KeyAttributes.of(post)
        .forEach((name, value) -> item.put(name, "{\"S\":\"%s\"}".formatted(value.s())));
    item.put(Post.LIKES_COUNT, "{\"N\":\"0\"}");
    return item;
  }

  private static DynamodbTimeWindowEvent event(Like like) {
    var images = new StreamRecord();
    images.setKeys(ofEvents(KeyAttributes.of(like.key())));
    images.setNewImage(ofEvents(RowCodec.encode(like)));
    images.setSequenceNumber(SEQUENCE);
    var record = new DynamodbStreamRecord();
    record.setEventID("rehearsal");
    record.setEventName("INSERT");
    record.setDynamodb(images);
    var event = new DynamodbTimeWindowEvent();
    event.setRecords(List.of(record));
    event.setShardId(SHARD);
    event.setState(Map.of());
    return event;
  }

  /** All attributes of a like are texts or numbers. */
  private static Map<String, AttributeValue> ofEvents(
      Map<String, software.amazon.awssdk.services.dynamodb.model.AttributeValue> item) {
    var converted = new HashMap<String, AttributeValue>();
    item.forEach(
        (name, value) ->
            converted.put(
                name,
                value.s() == null
                    ? new AttributeValue().withN(value.n())
                    : new AttributeValue().withS(value.s())));
    return converted;
  }

  private static String json(DynamodbTimeWindowEvent event) {
    var json = new ByteArrayOutputStream();
    serializer(DynamodbTimeWindowEvent.class).toJson(event, json);
    return json.toString(StandardCharsets.UTF_8);
  }

  /** As Lambda's runtime client has them. */
  private static <T> PojoSerializer<T> serializer(Class<T> type) {
    return LambdaEventSerializers.serializerFor(type, LaneRehearsal.class.getClassLoader());
  }
}
