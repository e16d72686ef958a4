package social.feed.table.kernel.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.row.EngagementKey;
import social.feed.table.row.FeedProjection;
import social.feed.table.row.FollowRef;
import social.feed.table.row.Inbox;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.LikeRef;
import social.feed.table.row.Media;
import social.feed.table.row.PostRef;
import social.feed.table.row.PostTag;
import social.feed.table.row.Ranked;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import social.feed.table.row.UnreadRef;
import social.feed.table.row.User;

class FeedTableTest {
  @Test
  void indexes_ofTheTable_areAllConstants() {
    assertThat(FeedTable.DECLARATION.indexes())
        .extracting(index -> index.name())
        .containsExactlyInAnyOrderElementsOf(
            List.of(Index.values()).stream().map(Index::indexName).toList());
  }

  /** One query reads both, and what lies between them would cost as well. */
  @Test
  void noRowsOfAnAccount_lieBetweenItsBlocksAndItsInbox() {
    assertThat(SampleRows.complete())
        .map(Row::key)
        .filteredOn(key -> key.partition().startsWith(Keys.USERS))
        .filteredOn(key -> key.sort().compareTo(Keys.BLOCKS_BOTH_WAYS) >= 0)
        .filteredOn(key -> key.sort().compareTo(Inbox.key("alice").sort()) <= 0)
        .allMatch(key -> key.sort().startsWith(Keys.BLOCKS_BOTH_WAYS) || Inbox.isAt(key))
        .hasSizeGreaterThan(2);
  }

  @Test
  void projection_ofEachIndex_hasTheComponentsOfTheRecordsReadFromIt() {
    assertProjection(Index.POSTS_BY_AUTHOR, PostRef.class, LikeRef.class);
    assertProjection(Index.POSTS_BY_TAG, PostRef.class, EngagementKey.class);
    assertProjection(Index.FEED_BY_USER, FeedProjection.class);
    assertProjection(Index.FOLLOWERS, FollowRef.class);
    assertProjection(Index.FOLLOWING, FollowRef.class);
    assertProjection(Index.UNREAD, UnreadRef.class);
  }

  /**
   * A record can only be read from an index when each row in that index has its components. A
   * ranking is excluded, because only its sort keys are read.
   */
  @Test
  void rows_ofEachIndex_haveTheComponentsOfTheRecordReadFromIt() {
    for (var row : SampleRows.complete()) {
      if (!(row instanceof User || row instanceof Ranked)) {
        row.indexKeys().keySet().forEach(index -> assertReadable(row, index));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"postId, post_id", "text, text", "isCelebrity, is_celebrity", "aB, a_b"})
  void attributeName_ofAComponent_isSnakeCase(String component, String attribute) {
    assertThat(AttributeNames.of(component)).isEqualTo(attribute);
  }

  /** TTL would delete any other row with this attribute, and nothing would handle the expiry. */
  @Test
  void rows_thatExpire_areThoseThatMayDisappear() {
    var expiring =
        Arrays.stream(RowKind.values())
            .filter(
                kind ->
                    Arrays.stream(kind.type().getRecordComponents())
                        .anyMatch(c -> AttributeNames.of(c.getName()).equals(BaseTable.TTL)));

    assertThat(expiring)
        .containsExactlyInAnyOrder(
            RowKind.FEED_ENTRY,
            RowKind.RECENT_DELIVERY,
            RowKind.PULLED_AUTHOR,
            RowKind.MUTE,
            RowKind.MEDIA,
            RowKind.NOTIFICATION,
            RowKind.TAG_TREND,
            RowKind.TAG_USES,
            RowKind.ANNOUNCEMENT,
            RowKind.ANNOUNCEMENT_PART,
            RowKind.EFFECT_MARK,
            RowKind.IDEMPOTENCY_RECORD,
            RowKind.FAN_OUT_PLAN,
            RowKind.FAN_OUT_CHUNK,
            RowKind.ERASURE,
            RowKind.FENCE,
            RowKind.SUSPECT,
            RowKind.FOLLOW_OPENING,
            RowKind.MEDIA_REMOVAL,
            // Starts the next sweep.
            RowKind.ERASURE_ALARM);
  }

  private static void assertReadable(Row row, Index index) {
    var projected = new HashMap<>(RowCodec.encode(row));
    projected.keySet().retainAll(projection(index));
    var read = RecordSchema.of(recordOf(row, index)).mapToItem(projected);

    assertThat(read.getClass().getRecordComponents()).isNotEmpty();
  }

  private static Class<? extends Record> recordOf(Row row, Index index) {
    return switch (index) {
      case POSTS_BY_AUTHOR ->
          switch (row) {
            case Like _ -> LikeRef.class;
            case Media _ -> EngagementKey.class;
            default -> PostRef.class;
          };
      case POSTS_BY_TAG -> row instanceof PostTag ? PostRef.class : EngagementKey.class;
      case FEED_BY_USER -> FeedProjection.class;
      case FOLLOWERS, FOLLOWING -> FollowRef.class;
      case UNREAD -> UnreadRef.class;
    };
  }

  @SafeVarargs
  private static void assertProjection(Index index, Class<? extends Record>... records) {
    assertThat(projection(index)).isEqualTo(AttributeNames.of(records));
  }

  private static Set<String> projection(Index index) {
    return FeedTable.DECLARATION.indexes().stream()
        .filter(declared -> declared.name().equals(index.indexName()))
        .findFirst()
        .orElseThrow()
        .projected();
  }
}
