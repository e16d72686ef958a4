package social.feed.table.kernel.schema;

import static social.feed.table.kernel.schema.AttributeNames.of;

import java.util.List;
import java.util.Set;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.declaration.IndexDeclaration;
import social.feed.table.kernel.declaration.TableDeclaration;
import social.feed.table.row.EngagementKey;
import social.feed.table.row.FeedProjection;
import social.feed.table.row.FollowRef;
import social.feed.table.row.LikeRef;
import social.feed.table.row.PostRef;
import social.feed.table.row.UnreadRef;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticTableMetadata;

/** The declaration of the table. Everything that must agree with it is rendered from this value. */
public final class FeedTable {
  /** The projection of an index consists of the components of the records that are read from it. */
  public static final TableDeclaration DECLARATION =
      new TableDeclaration(
          BaseTable.PK,
          BaseTable.SK,
          BaseTable.TTL,
          List.of(
              index(Index.POSTS_BY_AUTHOR, of(PostRef.class, LikeRef.class)),
              index(Index.POSTS_BY_TAG, of(PostRef.class, EngagementKey.class)),
              index(Index.FEED_BY_USER, of(FeedProjection.class)),
              index(Index.FOLLOWERS, of(FollowRef.class)),
              index(Index.FOLLOWING, of(FollowRef.class)),
              index(Index.UNREAD, of(UnreadRef.class))),
          true,
          true);

  /** The declaration as the enhanced client's metadata. */
  static final TableMetadata METADATA = metadata(DECLARATION);

  private FeedTable() {}

  private static IndexDeclaration index(Index index, Set<String> projected) {
    return IndexDeclaration.of(index, projected);
  }

  private static TableMetadata metadata(TableDeclaration table) {
    var metadata =
        StaticTableMetadata.builder()
            .addIndexPartitionKey(
                TableMetadata.primaryIndexName(), table.partitionKey(), AttributeValueType.S)
            .addIndexSortKey(
                TableMetadata.primaryIndexName(), table.sortKey(), AttributeValueType.S);
    table
        .indexes()
        .forEach(
            index ->
                metadata
                    .addIndexPartitionKey(index.name(), index.partitionKey(), AttributeValueType.S)
                    .addIndexSortKey(index.name(), index.sortKey(), AttributeValueType.S));
    return metadata.build();
  }
}
