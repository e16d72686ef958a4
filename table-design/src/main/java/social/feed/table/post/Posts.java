package social.feed.table.post;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Inserts;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.SetExpression;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.PostRef;
import social.feed.table.row.Visibility;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/** Posts. Counts, tag rows and feed entries follow from them behind the stream. */
public final class Posts {
  private static final RecordSchema<Post> SCHEMA = RecordSchema.of(Post.class);

  private final Table table;
  private final PagedQueries lists;
  private final Inserts<Post> inserts;

  public Posts(Table table) {
    this.table = table;
    this.lists = new PagedQueries(table);
    this.inserts = new Inserts<>(table, Post.class);
  }

  /**
   * Creates a post, once an id. Two write units for up to 1 KB, item and GSI1.
   *
   * @return the post that had this id before, or empty when this one was written
   */
  public Optional<Post> create(Post post) {
    return inserts.putIfAbsent(post);
  }

  /** A post, strongly consistent. One read unit for up to 4 KB. */
  @Serves(AccessPattern.FEED_004)
  public Optional<Post> get(String postId) {
    return table.get(Post.key(postId)).map(SCHEMA::mapToItem);
  }

  /**
   * Posts by id, absent ones left out. Half a read unit for up to 4 KB each, one when strong.
   *
   * @param strong whether a post deleted just now must be absent
   */
  public Map<String, Post> getAll(Collection<String> postIds, boolean strong) {
    return table.getAll(postIds.stream().map(Post::key).toList(), strong).stream()
        .map(Post.class::cast)
        .collect(Collectors.toMap(Post::postId, post -> post));
  }

  /** Posts of an author, newest first; position is the GSI1 sort key. */
  @Serves(AccessPattern.FEED_002)
  public Page<PostRef> ofAuthor(String authorId, PageRequest request) {
    return lists.ofIndex(AccessPattern.FEED_002, PostRef.class, Keys.user(authorId), request);
  }

  /**
   * All posts of an author, newest first, read as they are asked for. Half a read unit for each 4
   * KB of them.
   */
  public Stream<PostRef> allOfAuthor(String authorId) {
    return Page.all(AccessPattern.FEED_002.maxPage(), request -> ofAuthor(authorId, request))
        .flatMap(page -> page.items().stream());
  }

  /** Public posts with a tag, newest first; position is the GSI2 sort key. */
  @Serves(AccessPattern.FEED_007)
  public Page<PostRef> withTag(String tag, PageRequest request) {
    return lists.ofIndex(AccessPattern.FEED_007, PostRef.class, Keys.tag(tag), request);
  }

  /**
   * Changes who may read a post of an author; nothing happens where they may already. Two write
   * units, item and GSI1. Feeds, tag rows and notifications follow behind the stream.
   *
   * @return the post afterwards, or empty when the author has no such post
   */
  public Optional<Post> changeVisibility(String postId, String authorId, Visibility visibility) {
    var update =
        new SetExpression()
            .set(Post.VISIBILITY, AttributeValue.fromS(visibility.name().toLowerCase(Locale.ROOT)))
            .when(Post.AUTHOR_ID, "=", AttributeValue.fromS(authorId))
            .request()
            .tableName(table.name())
            .key(KeyAttributes.of(Post.key(postId)))
            .returnValues(ReturnValue.ALL_NEW)
            .build();
    try {
      return Optional.of(SCHEMA.mapToItem(table.client().updateItem(update).attributes()));
    } catch (ConditionalCheckFailedException e) {
      return Optional.empty();
    }
  }

  /** Deletes a post of an author. Two write units. */
  public DeleteOutcome delete(String postId, String authorId) {
    try {
      table
          .client()
          .deleteItem(
              d ->
                  d.tableName(table.name())
                      .key(KeyAttributes.of(Post.key(postId)))
                      .conditionExpression("#author = :author")
                      .expressionAttributeNames(Map.of("#author", Post.AUTHOR_ID))
                      .expressionAttributeValues(Map.of(":author", AttributeValue.fromS(authorId)))
                      .returnValuesOnConditionCheckFailure(
                          ReturnValuesOnConditionCheckFailure.ALL_OLD));
      return DeleteOutcome.DELETED;
    } catch (ConditionalCheckFailedException e) {
      return e.hasItem() ? DeleteOutcome.NOT_YOURS : DeleteOutcome.ABSENT;
    }
  }
}
