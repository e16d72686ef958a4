package social.feed.table.kernel.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.row.Like;
import social.feed.table.row.LikeRef;
import social.feed.table.row.PostTag;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** How records are read from queries, and where items differ from their rows. */
class SchemaTest {
  private static final Like LIKE = new Like(SampleRows.POST_ID, "bob", "alice", SampleRows.TIME);
  private static final Map<String, AttributeValue> ITEM = RowCodec.encode(LIKE);
  private static final PositionedSchema<LikeRef> BY_TIME =
      new PositionedSchema<>(RecordSchema.of(LikeRef.class), "GSI1SK");

  @Test
  void positioned_item_hasTheSortKeyOfTheQueriedIndex() {
    var read = BY_TIME.mapToItem(ITEM);

    assertThat(read)
        .isEqualTo(
            new Positioned<>(
                "2026-11-20T09:15:00.500Z#LIKE#bob", new LikeRef("bob", SampleRows.TIME)));
    assertThat(BY_TIME.attributeValue(read, "GSI1SK")).isEqualTo(ITEM.get("GSI1SK"));
    assertThat(BY_TIME.attributeValue(read, "user_id")).isEqualTo(ITEM.get("user_id"));
    assertThat(BY_TIME.itemToMap(read, true)).containsOnlyKeys("user_id", "created_at");
    assertThat(BY_TIME.itemToMap(read, List.of("user_id"))).containsOnlyKeys("user_id");
    assertThat(BY_TIME.attributeNames()).contains("user_id", "created_at");
    assertThat(BY_TIME.itemType().rawClass()).isEqualTo(Positioned.class);
    assertThat(BY_TIME.tableMetadata()).isSameAs(FeedTable.METADATA);
    assertThat(BY_TIME.isAbstract()).isFalse();
  }

  @Test
  void positioned_itemOutsideTheIndex_isRefused() {
    var item = new HashMap<>(ITEM);
    item.remove("GSI1SK");

    assertThatThrownBy(() -> BY_TIME.mapToItem(item))
        .isInstanceOf(MalformedItemException.class)
        .hasMessageContaining("No GSI1SK");
  }

  @Test
  void schema_ofARow_writesKeysEntityAndComponents() {
    var schema = RecordSchema.of(Like.class);

    assertThat(schema.itemToMap(LIKE, true)).isEqualTo(ITEM);
    assertThat(schema.itemToMap(LIKE, List.of("entity")))
        .isEqualTo(Map.of("entity", AttributeValue.fromS("LIKE")));
    assertThat(schema.attributeValue(LIKE, "PK")).isEqualTo(ITEM.get("PK"));
    assertThat(schema.attributeNames()).startsWith("PK", "SK").contains("user_id");
    assertThat(schema.itemType().rawClass()).isEqualTo(Like.class);
    assertThat(schema.tableMetadata()).isSameAs(FeedTable.METADATA);
    assertThat(schema.isAbstract()).isFalse();
  }

  @Test
  void misplaced_areTheKeysThatDifferFromTheRow() {
    var moved = new HashMap<>(ITEM);
    moved.put("GSI1SK", AttributeValue.fromS("elsewhere"));
    moved.remove("GSI2PK");
    moved.put("GSI3PK", AttributeValue.fromS("too much"));

    assertThat(KeyAttributes.misplaced(ITEM, LIKE)).isEmpty();
    assertThat(KeyAttributes.misplaced(moved, LIKE)).containsExactly("GSI1SK", "GSI2PK", "GSI3PK");
    var hidden = PostTag.of(SampleRows.post(Visibility.PRIVATE), "java");
    assertThat(KeyAttributes.misplaced(RowCodec.encode(hidden), hidden)).isEmpty();
  }

  @Test
  void isKey_isTrueOfKeysOfTableAndIndexes() {
    assertThat(List.of("PK", "SK", "GSI1PK", "GSI_NOTIFSK")).allMatch(KeyAttributes::isKey);
    assertThat(List.of("entity", "user_id", "pk")).noneMatch(KeyAttributes::isKey);
  }

  @Test
  void key_ofAnItemWithoutOne_isRefused() {
    assertThat(KeyAttributes.key(ITEM)).isEqualTo(LIKE.key());
    assertThatThrownBy(() -> KeyAttributes.key(Map.of("PK", AttributeValue.fromS("USER#a"))))
        .hasMessageContaining("no SK");
    assertThatThrownBy(
            () ->
                KeyAttributes.key(
                    Map.of("PK", AttributeValue.fromN("1"), "SK", AttributeValue.fromS("META"))))
        .hasMessageContaining("no PK");
  }

  /** What a row needs to exist for: verify removes what is left alone. */
  @Test
  void parents_ofEachKind_areTheRowsItBelongsTo() {
    var post = "POST#" + SampleRows.POST_ID + " / META";
    var parents = new HashMap<String, List<String>>();
    SampleRows.complete()
        .forEach(
            row ->
                parents.put(
                    row.getClass().getSimpleName(),
                    row.parents().stream()
                        .map(key -> key.partition() + " / " + key.sort())
                        .toList()));
    parents.values().removeIf(List::isEmpty);

    var alice = "USER#alice / META";
    var bob = "USER#bob / META";
    assertThat(parents)
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("Post", List.of(alice)),
                Map.entry("PostTag", List.of(post)),
                Map.entry("Comment", List.of(post, bob)),
                Map.entry("Like", List.of(post, bob)),
                Map.entry("Follow", List.of(bob, alice)),
                Map.entry("RetainedPosts", List.of(bob, alice)),
                Map.entry("FollowQuota", List.of(bob)),
                Map.entry("Notification", List.of(alice)),
                Map.entry("Inbox", List.of(alice)),
                Map.entry("Block", List.of(alice, bob)),
                Map.entry("BlockedBy", List.of(bob, alice)),
                Map.entry("Mute", List.of(alice, bob)),
                Map.entry("FeedActivity", List.of(bob)),
                Map.entry("Media", List.of(alice, post)),
                Map.entry("Suspect", List.of(bob)),
                Map.entry("Webhook", List.of("REGISTRY#WEBHOOKS / META")),
                Map.entry(
                    "WebhookDeliveries", List.of("WEBHOOK#" + SampleRows.MEDIA_ID + " / META"))));
    assertThat(User.key("alice")).hasToString(alice);
  }

  private record Nested(
      List<List<String>> lists, Map<String, Map<String, Long>> maps, int whole, boolean is) {}

  @Test
  void nestedListsAndMaps_areReadAsWritten() {
    var schema = RecordSchema.of(Nested.class);
    var nested =
        new Nested(List.of(List.of("a"), List.of()), Map.of("x", Map.of("y", 1L)), 3, true);

    assertThat(schema.mapToItem(schema.itemToMap(nested, true))).isEqualTo(nested);
    var other = new HashMap<>(schema.itemToMap(nested, true));
    other.put("lists", AttributeValue.fromS("text"));
    assertThatThrownBy(() -> schema.mapToItem(other))
        .isInstanceOf(MalformedItemException.class)
        .hasMessageContaining("unreadable lists");
  }
}
