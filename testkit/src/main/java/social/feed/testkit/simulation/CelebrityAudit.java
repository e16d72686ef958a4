package social.feed.testkit.simulation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;

/**
 * Checks that celebrity flags match the follower counts, that the pull registry matches the flags
 * and posts, and that each change of a flag was published.
 */
record CelebrityAudit(
    Map<Key, Row> rows, long threshold, Collection<Subject.Crossing> crossings, Instant now) {
  List<String> violations() {
    var violations = new ArrayList<String>();
    for (var row : rows.values()) {
      if (row instanceof User user) {
        violations.addAll(flag(user));
      } else if (row instanceof Post post
          && post.delivery() == FanOutMode.PULL
          && !isReachable(post)) {
        violations.add("pull registry does not cover " + post.key());
      }
    }
    return violations;
  }

  private List<String> flag(User user) {
    var violations = new ArrayList<String>();
    if (new CelebrityRule(threshold).applies(user.isCelebrity(), user.followersCount())
        != user.isCelebrity()) {
      violations.add(user.key() + " has a flag that its follower count contradicts");
    }
    var entry = rows.get(PulledAuthor.key(user.userId()));
    boolean isPulled = entry instanceof PulledAuthor author && author.pullUntil() == null;
    if (isPulled != user.isCelebrity()) {
      violations.add(user.key() + " has a flag that the pull registry contradicts");
    }
    var reported =
        crossings.stream()
            .filter(crossing -> crossing.userId().equals(user.userId()))
            .map(Subject.Crossing::version)
            .collect(Collectors.toSet());
    var expected =
        LongStream.rangeClosed(1, user.celebrityVersion()).boxed().collect(Collectors.toSet());
    if (!reported.equals(expected)) {
      violations.add(
          user.key() + " published flag changes " + reported + " instead of " + expected);
    }
    return violations;
  }

  private boolean isReachable(Post post) {
    return post.createdAt().isBefore(FeedEntry.horizon(now))
        || (rows.get(PulledAuthor.key(post.authorId())) instanceof PulledAuthor author
            && author.covers(post.createdAt()));
  }
}
