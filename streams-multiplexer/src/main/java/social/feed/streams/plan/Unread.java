package social.feed.streams.plan;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.declaration.BaseTable;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.User;

/**
 * Which counter a record is for that nobody can read, as far as its keys tell. Another version of
 * the code may read it, so it is left to its letter like any other that could not be counted.
 */
public final class Unread {
  private Unread() {}

  /** The count that it causes if it causes one, with nothing to add, since that is not known. */
  public static Optional<Effect> of(DynamodbStreamRecord record) {
    var images = record.getDynamodb();
    return text(images, BaseTable.PK)
        .flatMap(
            partition ->
                text(images, BaseTable.SK)
                    .flatMap(sort -> of(record.getEventName(), images, partition, sort)));
  }

  private static Optional<Effect> of(
      String event, StreamRecord images, String partition, String sort) {
    if (partition.startsWith(Keys.FOLLOWEES) && sort.startsWith(Keys.FOLLOWERS)) {
      var followee = partition.substring(Keys.FOLLOWEES.length());
      return count(new Key(Keys.USERS + followee, Keys.META), User.FOLLOWERS_COUNT);
    }
    if (!partition.startsWith(Keys.POSTS)) {
      return Optional.empty();
    }
    if (sort.startsWith(Keys.LIKES)) {
      return count(new Key(partition, Keys.META), Post.LIKES_COUNT);
    }
    if (sort.startsWith(Keys.COMMENTS)) {
      return count(new Key(partition, Keys.META), Post.COMMENTS_COUNT);
    }
    return sort.equals(Keys.META) ? post(event, images, partition) : Optional.empty();
  }

  private static Optional<Effect> count(Key item, String counter) {
    return Optional.of(new Effect.Count(item, counter, 0));
  }

  /** Only the image of a post tells whose it is. */
  private static Optional<Effect> post(String event, StreamRecord images, String partition) {
    return Plan.postEvent(event)
        .flatMap(
            counted ->
                text(images, Post.AUTHOR_ID)
                    .map(
                        author ->
                            new Effect.CountOnce(
                                partition + "#" + counted,
                                new Key(Keys.USERS + author, Keys.META),
                                User.POSTS_COUNT,
                                0)));
  }

  private static Optional<String> text(StreamRecord images, String attribute) {
    return Stream.of(
            text(images.getKeys(), attribute),
            text(images.getNewImage(), attribute),
            text(images.getOldImage(), attribute))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> text(
      @Nullable Map<String, AttributeValue> image, String attribute) {
    return Optional.ofNullable(image).map(it -> it.get(attribute)).map(AttributeValue::getS);
  }
}
