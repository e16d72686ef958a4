package social.feed.streams;

import java.time.Clock;
import social.feed.table.graph.SpecialFollows;
import social.feed.table.notification.Announcements;
import social.feed.table.notification.Notifications;
import social.feed.table.post.Posts;
import social.feed.table.row.Announcement;
import social.feed.table.row.AnnouncementPart;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.table.store.Table;

/** Tells a part of the special followers of a post, and does not look whether it is still there. */
final class HastyTelling {
  private final Posts posts;
  private final SpecialFollows specials;
  private final Announcements announcements;

  HastyTelling(Table table) {
    this.posts = new Posts(table);
    this.specials = new SpecialFollows(table);
    this.announcements = new Announcements(table, new Notifications(table, Clock.systemUTC()));
  }

  void tell(AnnouncementPart part) {
    posts
        .get(part.postId())
        .filter(post -> post.visibility() != Visibility.PRIVATE)
        .ifPresent(post -> tell(post, part));
  }

  private void tell(Post post, AnnouncementPart part) {
    announcements.tell(
        specials.between(post.authorId(), part.first(), part.last()).stream()
            .filter(follower -> !post.createdAt().isBefore(follower.createdAt()))
            .map(
                follower ->
                    new Announcement(
                        post.postId(),
                        follower.followerId(),
                        post.authorId(),
                        post.createdAt(),
                        part.expiresAt()))
            .toList());
  }
}
