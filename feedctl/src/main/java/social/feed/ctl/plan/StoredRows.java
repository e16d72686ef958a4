package social.feed.ctl.plan;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import social.feed.table.kernel.cost.ItemSize;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.declaration.IndexDeclaration;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Comment;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Inbox;
import social.feed.table.row.Like;
import social.feed.table.row.Mention;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/**
 * The bytes that the table and its indexes store of a typical row of each kind, from the rows' own
 * encoding. A post has 140 characters of text and a comment 60. DynamoDB adds 100 bytes to each
 * item of a table and of an index (developer guide, "DynamoDB item sizes and formats"), and bills
 * reads without them.
 */
final class StoredRows {
  static final int OVERHEAD = 100;

  private static final Instant AT = Instant.parse("2026-11-20T09:15:00.500Z");
  private static final long EXPIRES_AT = 1_800_000_000L;
  private static final String POST = "01KAJPTR000000000000000001";
  private static final String OTHER = "01KAJPTR000000000000000002";
  private static final Map<String, String> MARKS =
      Map.of("shardId-00000001772366400000-00000001", "100000000000000000042");

  private final Map<RowKind, Bytes> all = new LinkedHashMap<>();

  /**
   * @param idLength characters of the id of an account
   */
  StoredRows(int idLength) {
    samples("a".repeat(idLength), "b".repeat(idLength))
        .forEach(row -> all.put(row.kind(), bytes(row)));
  }

  /** Returns the bytes of a typical row. */
  Bytes of(RowKind kind) {
    return Objects.requireNonNull(all.get(kind), kind.name());
  }

  /**
   * The bytes of a row.
   *
   * @param table in the table
   * @param indexes in each index that holds it, by name
   */
  record Bytes(long table, Map<String, Long> indexes) {
    long all() {
      return table + indexes.values().stream().mapToLong(it -> it).sum();
    }

    /** Returns the bytes that a read of the item is billed for. */
    long tableRead() {
      return table - OVERHEAD;
    }

    /** Returns the same for its entry of an index, 0 where it has none. */
    long indexRead(Index index) {
      return Math.max(0, indexes.getOrDefault(index.indexName(), 0L) - OVERHEAD);
    }
  }

  private static Bytes bytes(Row row) {
    var item = RowCodec.encode(row);
    var indexes = new LinkedHashMap<String, Long>();
    for (IndexDeclaration index : FeedTable.DECLARATION.indexes()) {
      var entry = FeedTable.DECLARATION.entry(index, item);
      if (!entry.isEmpty()) {
        indexes.put(index.name(), ItemSize.of(entry) + OVERHEAD);
      }
    }
    return new Bytes(ItemSize.of(item) + OVERHEAD, indexes);
  }

  private static List<Row> samples(String ann, String bob) {
    var post =
        new Post(
            POST,
            ann,
            "x".repeat(140),
            List.of("java"),
            List.of(new Mention("Bob_B", bob)),
            Visibility.PUBLIC,
            null,
            AT,
            4,
            FanOutMode.PUSH,
            10,
            2,
            MARKS);
    return List.of(
        new User(ann, "ann_lee", "Ann Lee", "x".repeat(80), AT, 200, 200, 9, 40, false, 0, MARKS),
        new HandleClaim("ann_lee", ann),
        new FollowQuota(ann, 200, 300, AT, 2, 1, List.of(), 7L, 5L),
        FeedActivity.at(ann, AT),
        new Inbox(ann, 3, MARKS, true, "NOTIF", AT, EXPIRES_AT, 0, 0, "f00d", null, 7L),
        new Follow(bob, ann, AT, AT, null, false, null),
        post,
        PostTag.of(post, "java"),
        new Comment(POST, OTHER, bob, ann, "x".repeat(60), AT),
        new Like(POST, bob, ann, AT),
        new FeedEntry(POST, 1, bob, ann, AT),
        new Notification(ann, OTHER, NotificationType.LIKE, bob, POST, AT, true, EXPIRES_AT),
        new TopAuthor("2026-11", ann, 12, 3, MARKS, Map.of()),
        ProcessedEvent.ofPost(POST, ProcessedEvent.CREATED, AT),
        new IdempotencyRecord(ann, bob, "f".repeat(64), POST, 201, "x".repeat(400), EXPIRES_AT),
        new FanOutPlan(POST, null, 1, 200, 0, AT, AT, null, EXPIRES_AT),
        new FanOutChunk(POST, 4, 1, ann, bob, 500, "f00d0001", null, null, 0, 0, null, EXPIRES_AT),
        new PulledAuthor(ann, AT, null, 1, 1, 1));
  }
}
