package social.feed.streams.plan;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.streams.effect.Count;
import social.feed.streams.effect.CountOnceHandler.CountOnce;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Follow;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.TagUses;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/**
 * Finds the counters that a record which cannot be decoded counts in. Another version of the code
 * may read the record, so it is left to its dead letter like any other that could not be counted.
 * The keys name the counters of accounts and posts. The month of a follow and the tags and hour of
 * a post are only in the images. Where the images do not hold them, verify recounts what is
 * missing.
 */
final class UnreadableCounts {
  private static final String PUBLIC = Visibility.PUBLIC.name().toLowerCase(Locale.ROOT);

  private UnreadableCounts() {}

  /** Returns the counts of the counts lane, with 0 to add since the amount is not known. */
  static List<Count> counts(DynamodbStreamRecord record, Duration halfLife) {
    var images = record.getDynamodb();
    var partition = text(images, BaseTable.PK).orElse("");
    var sort = text(images, BaseTable.SK).orElse("");
    if (partition.startsWith(Keys.FOLLOWEES) && sort.startsWith(Keys.FOLLOWERS)) {
      return follow(images, partition.substring(Keys.FOLLOWEES.length()));
    }
    if (partition.startsWith(Keys.USERS) && sort.startsWith(Keys.NOTIFICATIONS)) {
      return isCounted(images)
          ? List.of(count(Inbox.key(Keys.userOf(partition)), Inbox.UNREAD))
          : List.of();
    }
    if (!partition.startsWith(Keys.POSTS)) {
      return gathered(record.getEventName(), new Key(partition, sort));
    }
    if (sort.startsWith(Keys.LIKES)) {
      return List.of(count(new Key(partition, Keys.META), Post.LIKES_COUNT));
    }
    if (sort.startsWith(Keys.COMMENTS)) {
      return List.of(count(new Key(partition, Keys.META), Post.COMMENTS_COUNT));
    }
    return sort.equals(Keys.META) ? uses(images, halfLife) : List.of();
  }

  /** Returns the counts of the effects lane, with 0 to add since the amount is not known. */
  static List<CountOnce> countsOnce(DynamodbStreamRecord record) {
    var images = record.getDynamodb();
    var partition = text(images, BaseTable.PK).orElse("");
    boolean isPost =
        partition.startsWith(Keys.POSTS)
            && text(images, BaseTable.SK).filter(Keys.META::equals).isPresent();
    return isPost
        ? CountPlan.postEvent(record.getEventName())
            .flatMap(event -> text(images, Post.AUTHOR_ID).map(by -> once(partition, event, by)))
            .stream()
            .toList()
        : List.of();
  }

  /** The end of a row of uses, which only expires, has no effect. */
  private static List<Count> gathered(String eventName, Key key) {
    return Keys.hourOfUses(key).filter(_ -> !eventName.equals("REMOVE")).stream()
        .map(hour -> count(new Key(key.partition(), Keys.META), hour))
        .toList();
  }

  private static Count count(Key item, String counter) {
    return new Count(item, counter, 0);
  }

  private static List<Count> follow(StreamRecord images, String followee) {
    var counts = new ArrayList<Count>();
    counts.add(count(new Key(Keys.USERS + followee, Keys.META), User.FOLLOWERS_COUNT));
    time(images, Follow.CREATED_AT)
        .ifPresent(at -> counts.add(count(TopAuthor.key(at, followee), TopAuthor.GAINED)));
    return counts;
  }

  /** A tag that is no part of a key has no counter. */
  private static List<Count> uses(StreamRecord images, Duration halfLife) {
    return time(images, Post.CREATED_AT).filter(_ -> isPublicOnce(images)).stream()
        .flatMap(
            at ->
                tags(images).stream()
                    .filter(Keys::isPart)
                    .map(tag -> count(TagUses.key(halfLife, tag, at), TagUses.USES)))
        .toList();
  }

  private static CountOnce once(String partition, String event, String author) {
    var item = new Key(Keys.USERS + author, Keys.META);
    return new CountOnce(partition + "#" + event, item, User.POSTS_COUNT, 0);
  }

  /** A post that was public and stays public changes no use of its tags. */
  private static boolean isPublicOnce(StreamRecord images) {
    return isPublic(images.getOldImage()) != isPublic(images.getNewImage());
  }

  /** As in the plan: an unread notification comes, goes, or is read by an earlier version. */
  private static boolean isCounted(StreamRecord images) {
    var before = images.getOldImage();
    var after = images.getNewImage();
    if (before == null || after == null) {
      return isUnread(before) || isUnread(after);
    }
    return isUnread(before) && !isUnread(after) && after.containsKey(Notification.COUNTED);
  }

  private static boolean isUnread(@Nullable Map<String, AttributeValue> image) {
    return image != null
        && is(image.get(Notification.COUNTED), true)
        && is(image.get(Notification.READ), false);
  }

  private static boolean is(@Nullable AttributeValue flag, boolean value) {
    return flag != null && flag.getBOOL() != null && flag.getBOOL() == value;
  }

  private static boolean isPublic(@Nullable Map<String, AttributeValue> image) {
    return text(image, Post.VISIBILITY).filter(PUBLIC::equals).isPresent();
  }

  private static List<String> tags(StreamRecord images) {
    return images(images)
        .map(image -> image.get(Post.TAGS))
        .filter(Objects::nonNull)
        .map(AttributeValue::getL)
        .filter(Objects::nonNull)
        .flatMap(List::stream)
        .map(AttributeValue::getS)
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  private static Optional<Instant> time(StreamRecord images, String attribute) {
    return text(images, attribute).flatMap(Timestamps::find);
  }

  private static Optional<String> text(StreamRecord images, String attribute) {
    return images(images).flatMap(image -> text(image, attribute).stream()).findFirst();
  }

  private static Stream<Map<String, AttributeValue>> images(StreamRecord images) {
    return Stream.of(
            Optional.ofNullable(images.getKeys()),
            Optional.ofNullable(images.getNewImage()),
            Optional.ofNullable(images.getOldImage()))
        .flatMap(Optional::stream);
  }

  private static Optional<String> text(
      @Nullable Map<String, AttributeValue> image, String attribute) {
    return Optional.ofNullable(image).map(it -> it.get(attribute)).map(AttributeValue::getS);
  }
}
