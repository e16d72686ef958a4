package social.feed.ctl.verify;

import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.notification.PostNotifications;
import social.feed.table.row.Key;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.Visibility;

/**
 * Whoever was told of a post can be found when it goes, was told, and of no post that others must
 * not see. Four read units for each who was told, and one a notification. What is noted at the post
 * is what counts: a notification that is not noted there is noted. A note is written first, so
 * whoever ceased to follow specially just then may be noted and not told; that hides nothing. Nor
 * does the note of who muted the author: a post that was hidden and is shown again is not told
 * anew.
 */
record PostNotificationCheck(
    TableScanner census,
    PostNotifications announcements,
    ConditionalWrites corrections,
    InstantSource clock)
    implements RowCheck {
  @Override
  public String name() {
    return "posts told";
  }

  @Override
  public boolean concerns(Row row) {
    return row instanceof PostNotification
        || (row instanceof Notification told && announcement(told) != null);
  }

  @Override
  public List<Drift> inspect(List<Row> rows) {
    Function<Row, Stream<Key>> needed = PostNotificationCheck::needed;
    var there = RelatedRows.at(rows.stream().flatMap(needed).toList(), census);
    return rows.stream().flatMap(row -> drifts(row, there)).toList();
  }

  private static @Nullable PostNotification announcement(Notification told) {
    return told.type() != NotificationType.POST || told.postId() == null
        ? null
        : new PostNotification(
            told.postId(), told.userId(), told.actorId(), told.createdAt(), told.expiresAt());
  }

  private static Stream<Key> needed(Row row) {
    return row instanceof PostNotification told
        ? Stream.of(Post.key(told.postId()), told.notification().key(), special(told), mute(told))
        : noted(row).map(PostNotification::key);
  }

  private static Key special(PostNotification told) {
    return SpecialFollower.key(told.readerId(), told.authorId());
  }

  private static Key mute(PostNotification told) {
    return Mute.key(told.readerId(), told.authorId());
  }

  private static Stream<PostNotification> noted(Row row) {
    return row instanceof Notification told ? Stream.ofNullable(announcement(told)) : Stream.of();
  }

  private Stream<Drift> drifts(Row row, RelatedRows there) {
    if (row instanceof PostNotification told) {
      return drifts(told, there);
    }
    return noted(row)
        .filter(noted -> !there.has(noted.key()))
        .map(
            noted ->
                new Drift(
                    row.key(),
                    row.key() + " is not noted at " + noted.key(),
                    () -> corrections.insert(noted)));
  }

  private Stream<Drift> drifts(PostNotification told, RelatedRows there) {
    var post = Post.key(told.postId());
    boolean isShown =
        there.isUnreadable(post)
            || there
                .get(post, Post.class)
                .filter(p -> p.visibility() != Visibility.PRIVATE)
                .isPresent();
    boolean isTold = there.has(told.notification().key());
    if (!isShown) {
      var problem = told.key() + " tells of " + post + ", which others must not see";
      return isTold
          ? Stream.of(new Drift(told.key(), problem, () -> announcements.retract(List.of(told))))
          : Stream.empty();
    }
    boolean isOver = told.expiresAt() <= clock.instant().getEpochSecond();
    boolean isOwed = there.has(special(told)) && !there.has(mute(told));
    if (isOver || isTold || !isOwed) {
      return Stream.empty();
    }
    return Stream.of(
        new Drift(
            told.key(),
            told.key() + " has not reached its reader",
            () -> corrections.insert(told.notification())));
  }
}
