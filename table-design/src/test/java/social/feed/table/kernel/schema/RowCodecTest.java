package social.feed.table.kernel.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.table.row.PostTag;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import social.feed.table.row.Visibility;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class RowCodecTest {
  static Stream<Row> rows() {
    return Stream.concat(SampleRows.complete().stream(), SampleRows.variants().stream());
  }

  static List<Row> complete() {
    return SampleRows.complete();
  }

  @Test
  void sampleRows_coverEveryKind() {
    assertThat(SampleRows.complete())
        .extracting(Row::kind)
        .containsExactlyInAnyOrder(RowKind.values());
  }

  @ParameterizedTest
  @MethodSource("rows")
  void decode_ofEncode_isTheRow(Row row) {
    assertThat(RowCodec.decode(RowCodec.encode(row))).isEqualTo(row);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void encode_row_hasItsKeyAndItsEntityType(Row row) {
    var item = RowCodec.encode(row);

    assertThat(KeyAttributes.key(item)).isEqualTo(row.key());
    var kind = row.kind();
    assertThat(item).containsEntry(RowKind.ATTRIBUTE, AttributeValue.fromS(kind.name()));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void encode_row_hasTheKeysOfItsIndexesAndNoOther(Row row) {
    var item = RowCodec.encode(row);
    for (var index : FeedTable.DECLARATION.indexes()) {
      boolean isHeld =
          row.indexKeys().keySet().stream().anyMatch(i -> i.indexName().equals(index.name()));
      assertThat(item.containsKey(index.partitionKey())).isEqualTo(isHeld);
      assertThat(item.containsKey(index.sortKey())).isEqualTo(isHeld);
    }
  }

  @Test
  void indexKeys_sparseRows_dependOnTheirState() {
    assertThat(SampleRows.notification(false).indexKeys()).hasSize(1);
    assertThat(SampleRows.notification(true).indexKeys()).isEmpty();
    assertThat(tag(Visibility.PUBLIC).indexKeys()).hasSize(1);
    assertThat(tag(Visibility.FOLLOWERS).indexKeys()).isEmpty();
    assertThat(tag(Visibility.PRIVATE).indexKeys()).isEmpty();
  }

  /** Repairs of index keys are conditional on this number, so a missing one loses an update. */
  @ParameterizedTest
  @MethodSource("rows")
  void indexKeys_dependingOnANumber_haveItsNameInTheRow(Row row) {
    var item = RowCodec.encode(row);
    for (var attribute : item.entrySet()) {
      if (attribute.getValue().n() != null) {
        var changed = new HashMap<>(item);
        var next = Long.parseLong(attribute.getValue().n()) + 1;
        changed.put(attribute.getKey(), AttributeValue.fromN(Long.toString(next)));
        var other = RowCodec.decode(changed);
        if (other.key().equals(row.key()) && !other.indexKeys().equals(row.indexKeys())) {
          assertThat(row.indexedNumber()).isPresent();
        }
      }
    }
    assertThat(item.keySet()).containsAll(row.indexedNumber().stream().toList());
  }

  @Test
  void decode_unknownEntityType_namesItAndTheKey() {
    var item = changed(RowKind.USER, RowKind.ATTRIBUTE, AttributeValue.fromS("POLL"));

    assertMalformed(item, "'POLL'");
  }

  @Test
  void decode_noEntityType_namesTheKey() {
    assertMalformed(changed(RowKind.USER, RowKind.ATTRIBUTE, null), "''");
    assertMalformed(changed(RowKind.USER, RowKind.ATTRIBUTE, AttributeValue.fromN("1")), "''");
  }

  @Test
  void decode_noKey_isMalformedToo() {
    assertThatExceptionOfType(MalformedItemException.class)
        .isThrownBy(() -> RowCodec.decode(Map.of()))
        .withMessageContaining("? / ?");
  }

  @ParameterizedTest
  @MethodSource("complete")
  void decode_eachAttributeMissing_isMalformedUnlessOptional(Row row) {
    for (var component : row.getClass().getRecordComponents()) {
      var item = new HashMap<>(RowCodec.encode(row));
      var name = AttributeNames.of(component.getName());
      item.remove(name);
      if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        assertThat(RowCodec.encode(RowCodec.decode(item))).doesNotContainKey(name);
      } else {
        assertMalformed(item, row, name);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("complete")
  void decode_eachAttributeOfAnotherType_isMalformed(Row row) {
    for (var component : row.getClass().getRecordComponents()) {
      var item = new HashMap<>(RowCodec.encode(row));
      var name = AttributeNames.of(component.getName());
      item.put(name, AttributeValue.fromBs(List.of()));
      assertMalformed(item, row, name);
    }
  }

  @Test
  void decode_unreadableValues_areMalformed() {
    assertUnreadable(RowKind.USER, "created_at", AttributeValue.fromS("2026-11-20T09:15:00Z"));
    assertUnreadable(RowKind.USER, "followers_count", AttributeValue.fromN("1.5"));
    assertUnreadable(RowKind.USER, "marks", AttributeValue.fromS("x"));
    assertUnreadable(RowKind.POST, "visibility", AttributeValue.fromS("PUBLIC"));
    assertUnreadable(RowKind.POST, "tags", AttributeValue.fromS("java"));
    assertUnreadable(
        RowKind.POST, "mentions", AttributeValue.fromL(List.of(AttributeValue.fromS("bob"))));
    assertUnreadable(
        RowKind.POST, "mentions", AttributeValue.fromL(List.of(AttributeValue.fromM(Map.of()))));
    assertUnreadable(RowKind.POST, "feed_shards", AttributeValue.fromN("99999999999"));
    assertUnreadable(RowKind.NOTIFICATION, "type", AttributeValue.fromS("poke"));
    assertUnreadable(RowKind.NOTIFICATION, "read", AttributeValue.fromS("no"));
  }

  @Test
  void decode_unknownAttributes_areIgnored() {
    var item = changed(RowKind.USER, "later_addition", AttributeValue.fromS("x"));

    assertThat(RowCodec.decode(item)).isEqualTo(sample(RowKind.USER));
  }

  @Test
  void decode_oneBrokenAttribute_returnsARowOrIsMalformed() {
    var random = new Random(17);
    for (int i = 0; i < 5_000; i++) {
      var rows = SampleRows.complete();
      var item = new HashMap<>(RowCodec.encode(rows.get(random.nextInt(rows.size()))));
      var names = item.keySet().toArray(String[]::new);
      Arrays.sort(names);
      item.put(names[random.nextInt(names.length)], any(random));
      try {
        assertThat(RowCodec.decode(item)).isNotNull();
      } catch (MalformedItemException e) {
        assertThat(e).hasMessageContaining(" at ");
      }
    }
  }

  private static AttributeValue any(Random random) {
    return switch (random.nextInt(7)) {
      case 0 -> AttributeValue.fromS("");
      case 1 -> AttributeValue.fromN("-1e30");
      case 2 -> AttributeValue.fromBool(random.nextBoolean());
      case 3 -> AttributeValue.fromNul(true);
      case 4 -> AttributeValue.fromL(List.of(AttributeValue.fromNul(true)));
      case 5 -> AttributeValue.fromM(Map.of("a", AttributeValue.fromNul(true)));
      default -> AttributeValue.fromSs(List.of("a"));
    };
  }

  private static PostTag tag(Visibility visibility) {
    return PostTag.of(SampleRows.post(visibility), "java");
  }

  private static Row sample(RowKind kind) {
    return SampleRows.complete().stream().filter(row -> row.kind() == kind).findAny().orElseThrow();
  }

  private static void assertUnreadable(RowKind kind, String attribute, AttributeValue value) {
    assertMalformed(changed(kind, attribute, value), sample(kind), attribute);
  }

  private static Map<String, AttributeValue> changed(
      RowKind kind, String attribute, @Nullable AttributeValue value) {
    var item = new HashMap<>(RowCodec.encode(sample(kind)));
    if (value == null) {
      item.remove(attribute);
    } else {
      item.put(attribute, value);
    }
    return item;
  }

  private static void assertMalformed(Map<String, AttributeValue> item, String problem) {
    assertMalformed(item, sample(RowKind.USER), problem);
  }

  private static void assertMalformed(Map<String, AttributeValue> item, Row row, String problem) {
    assertThatExceptionOfType(MalformedItemException.class)
        .as(problem)
        .isThrownBy(() -> RowCodec.decode(item))
        .withMessageContaining(problem)
        .withMessageContaining(row.key().toString());
  }
}
