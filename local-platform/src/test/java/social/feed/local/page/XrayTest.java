package social.feed.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import social.feed.local.page.Writes.Kind;
import social.feed.local.page.Writes.Write;
import social.feed.local.page.Xray.Sizes;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.trace.StoredContext;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/** Tests which request a record belongs to, and the bounds of what is kept. */
class XrayTest {
  private static final Plan PLAN = new Plan(Duration.ofDays(90), Duration.ofHours(6));
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");

  private final Xray xray = new Xray(PLAN, true);

  private Watch begun(String id) {
    var meter = new CostMeter();
    var _ = xray.begin(meter, new Trace(id, "POST", "/v1/users/author/follow", Xray.now()));
    return Objects.requireNonNull(xray.watchOf(meter));
  }

  private static List<Write> put(Row row) {
    return Writes.of(PutItemRequest.builder().item(RowCodec.encode(row)).build());
  }

  /** Returns the record of a row that was inserted, as Lambda delivers it. */
  private static DynamodbStreamRecord inserted(int number, Row row) {
    var image = new HashMap<String, AttributeValue>();
    RowCodec.encode(row)
        .forEach(
            (name, value) ->
                image.put(
                    name,
                    switch (value.type()) {
                      case S -> new AttributeValue().withS(value.s());
                      case N -> new AttributeValue().withN(value.n());
                      case BOOL -> new AttributeValue().withBOOL(value.bool());
                      default -> throw new IllegalArgumentException(name);
                    }));
    var keys = new HashMap<>(image);
    keys.keySet().retainAll(Set.of(BaseTable.PK, BaseTable.SK));
    var record = new DynamodbStreamRecord();
    record.setEventName("INSERT");
    record.setDynamodb(
        new StreamRecord()
            .withSequenceNumber("%021d".formatted(number))
            .withKeys(keys)
            .withNewImage(image));
    return record;
  }

  private void seen(DynamodbStreamRecord record) {
    for (var lane : Lane.values()) {
      xray.seen(lane, record, true);
    }
  }

  private TraceView view(String id) {
    return xray.one(id, TraceView::of).orElseThrow().view();
  }

  private static Call call(int characters) {
    return new Call(
        0,
        1,
        new CallText("PutItem", null, "x".repeat(characters), null, Map.of()),
        List.of(),
        null,
        Map.of(),
        ConsumedUnits.NONE,
        null);
  }

  /** A client with traces adds an attribute after the request was seen. */
  @Test
  void record_belongsToThePutWithItsImage_alsoWithTheContextOfATrace() {
    var first = Follow.of("reader", "author", AT);
    var second = Follow.of("reader", "author", AT.plusSeconds(1));
    xray.expect(begun("first"), put(first));
    xray.expect(begun("second"), put(second));
    var record = inserted(1, second);
    record
        .getDynamodb()
        .getNewImage()
        .put(
            StoredContext.ATTRIBUTE,
            new AttributeValue().withB(ByteBuffer.wrap(new byte[] {1, 2, 3})));

    seen(record);

    assertThat(view("first").records()).isEmpty();
    assertThat(view("second").records()).hasSize(1);
    assertThat(view("second").effects()).isNotEmpty();
  }

  @Test
  void actionsWithoutEnd_areKeptUpToTheBounds() {
    int actions = 2 * Xray.RECORDS;
    for (int i = 0; i < actions; i++) {
      var edge = Follow.of("reader" + i, "author", AT);
      var watch = begun("request" + i);
      xray.expect(watch, put(edge));
      seen(inserted(i, edge));
      for (int unseen = 0; unseen < 2; unseen++) {
        xray.expect(watch, List.of(new Write(Kind.UPDATE, new Key("P" + i, "S" + unseen), 0)));
      }
      for (int calls = 0; calls < 5; calls++) {
        watch.ended(call(50_000));
      }
    }

    assertThat(xray.sizes())
        .isEqualTo(
            new Sizes(
                Xray.REQUESTS,
                xray.sizes().bytes(),
                Xray.RECORDS,
                Xray.RECORDS,
                ExpectedWrites.MOST,
                Xray.RECORDS));
    assertThat(xray.sizes().bytes())
        .isBetween(Xray.REQUESTS * 150_000L, (long) Xray.REQUESTS * Trace.MOST_BYTES);
    assertThat(view("request" + (actions - 1)).omitted()).isEqualTo(2);
  }

  @Test
  void writesOfOneItem_areBounded() {
    var watch = begun("request");
    for (int i = 0; i < 2 * ExpectedWrites.MOST_OF_A_KEY; i++) {
      xray.expect(watch, List.of(new Write(Kind.UPDATE, new Key("P", "S"), 0)));
    }

    assertThat(xray.sizes().expected()).isEqualTo(ExpectedWrites.MOST_OF_A_KEY);
  }

  /** The steps of an erasure cause each other, all for one request. */
  @Test
  void chainOfEffects_endsInATraceThatIsFull() {
    var watch = begun("erasure");
    for (int i = 0; i < 2_000; i++) {
      var edge = Follow.of("reader" + i, "author", AT);
      xray.expect(watch, put(edge));
      seen(inserted(i, edge));
    }

    assertThat(view("erasure").records()).hasSize(400);
    assertThat(view("erasure").effects()).hasSize(400);
    assertThat(view("erasure").omitted()).isPositive();
    assertThat(xray.sizes().expected()).isZero();
    assertThat(xray.sizes().waiting()).isLessThanOrEqualTo(400);
  }

  /** As in a platform whose effects run in other processes. */
  @Test
  void effects_doNotWaitAfterTheirRecord() throws Exception {
    var edge = Follow.of("reader", "author", AT);
    xray.expect(begun("request"), put(edge));
    var record = inserted(1, edge);
    seen(record);
    assertThat(xray.sizes().waiting()).isPositive();
    var event = new DynamodbTimeWindowEvent();
    event.setRecords(List.of(record));
    for (var lane : Lane.values()) {
      xray.batch(lane, event, () -> new TimeWindowEventResponse(Map.of(), List.of()));
    }

    assertThat(xray.sizes().waiting()).isZero();
    assertThat(xray.sizes().unhandled()).isZero();
    assertThat(view("request").pending()).isZero();
  }

  @Test
  void off_keepsNothing() {
    var off = new Xray(PLAN, false);
    var meter = new CostMeter();
    var _ = off.begin(meter, new Trace("id", "GET", "/v1/feed", Xray.now()));
    off.seen(Lane.COUNTS, inserted(1, Follow.of("reader", "author", AT)), true);

    assertThat(off.watchOf(meter)).isNull();
    assertThat(off.sizes()).isEqualTo(new Sizes(0, 0, 0, 0, 0, 0));
  }
}
