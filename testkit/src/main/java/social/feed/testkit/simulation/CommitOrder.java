package social.feed.testkit.simulation;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.transformers.v2.dynamodb.DynamodbAttributeValueTransformer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.RowKind;
import social.feed.table.row.Visibility;

/**
 * The order in which rows were inserted and removed and posts were hidden. A notification that a
 * reader must not get stands only where the reader lost the right to it after it was written.
 */
final class CommitOrder {
  private final Map<Key, Long> inserted = new HashMap<>();
  private final Map<Key, Long> removed = new HashMap<>();

  /** When each post last stopped being public, or was created as one that is not. */
  private final Map<Key, Long> hidden = new HashMap<>();

  private long position;

  /** Notes a record; records come in the order of their writes. */
  void note(DynamodbStreamRecord record) {
    position++;
    var change = record.getDynamodb();
    var key =
        KeyAttributes.key(
            DynamodbAttributeValueTransformer.toAttributeValueMapV2(change.getKeys()));
    switch (record.getEventName()) {
      case "INSERT" -> inserted.put(key, position);
      case "REMOVE" -> removed.put(key, position);
      default -> {}
    }
    if (!isPublicPost(change.getNewImage())
        && (change.getOldImage() == null || isPublicPost(change.getOldImage()))) {
      hidden.put(key, position);
    }
  }

  private static boolean isPublicPost(
      @Nullable
          Map<String, com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue>
          image) {
    if (image == null || !image.containsKey(RowKind.ATTRIBUTE)) {
      return false;
    }
    return RowKind.POST.name().equals(image.get(RowKind.ATTRIBUTE).getS())
        && RowCodec.decode(DynamodbAttributeValueTransformer.toAttributeValueMapV2(image))
            instanceof Post post
        && post.visibility() == Visibility.PUBLIC;
  }

  /**
   * Whether a notification of a post for followers may stand after its reader unfollowed: the
   * unfollow, or the change of the post, came after the notification. A handler looks again after
   * its writes, so it retracts what came too late.
   */
  boolean isOlderThanItsEnd(Key notification, Key edge, Key post) {
    long written = inserted.getOrDefault(notification, 0L);
    return removed.getOrDefault(edge, 0L) > written || hidden.getOrDefault(post, 0L) > written;
  }
}
