package social.feed.streams;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import social.feed.table.row.Comment;
import social.feed.table.row.Follow;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/** The counts of a table by name: those that its items hold, and those that its rows add up to. */
final class Counts {
  private Counts() {}

  static Map<String, Long> held(Collection<Row> rows) {
    var counts = new TreeMap<String, Long>();
    for (var row : rows) {
      if (row instanceof User user) {
        counts.put(user.userId() + " followers", user.followersCount());
        counts.put(user.userId() + " following", user.followingCount());
        counts.put(user.userId() + " posts", user.postsCount());
      } else if (row instanceof Post post) {
        counts.put(post.postId() + " likes", post.likesCount());
        counts.put(post.postId() + " comments", post.commentsCount());
      } else if (row instanceof TopAuthor author && author.gained() != 0) {
        counts.put(author.userId() + " gained in " + author.month(), author.gained());
      }
    }
    counts.putAll(uses(rows));
    return counts;
  }

  /** Adds up the rows of a tag, some of which may be below zero. */
  private static Map<String, Long> uses(Collection<Row> rows) {
    var uses = new TreeMap<String, Long>();
    for (var row : rows) {
      if (row instanceof TagTrend trend) {
        trend
            .uses()
            .forEach((hour, count) -> uses.merge(used(trend.tag(), hour), count, Long::sum));
      }
    }
    uses.values().removeIf(count -> count == 0);
    return uses;
  }

  private static String used(String tag, String hour) {
    return tag + " used at " + hour;
  }

  static Map<String, Long> recounted(Collection<Row> rows) {
    var counts = new TreeMap<String, Long>();
    held(rows).keySet().forEach(name -> counts.put(name, 0L));
    for (var row : rows) {
      if (row instanceof Follow edge) {
        counts.merge(edge.followeeId() + " followers", 1L, Long::sum);
        counts.merge(edge.followerId() + " following", 1L, Long::sum);
        counts.merge(
            edge.followeeId() + " gained in " + Keys.month(edge.createdAt()), 1L, Long::sum);
      } else if (row instanceof Post post) {
        counts.merge(post.authorId() + " posts", 1L, Long::sum);
        if (post.visibility() == Visibility.PUBLIC) {
          var hour = TagTrend.hour(post.createdAt());
          post.tags().forEach(tag -> counts.merge(used(tag, hour), 1L, Long::sum));
        }
      } else if (row instanceof Like like) {
        counts.merge(like.postId() + " likes", 1L, Long::sum);
      } else if (row instanceof Comment comment) {
        counts.merge(comment.postId() + " comments", 1L, Long::sum);
      }
    }
    return counts;
  }
}
