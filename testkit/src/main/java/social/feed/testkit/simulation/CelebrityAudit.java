package social.feed.testkit.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;

/** Flags follow the counts, the pull registry the flags and posts, and each crossing was told. */
record CelebrityAudit(Map<Key, Row> rows, long threshold, Collection<Subject.Crossing> crossings) {
  List<String> violations() {
    var violations = new ArrayList<String>();
    for (var row : rows.values()) {
      if (row instanceof User user) {
        violations.addAll(flag(user));
      } else if (row instanceof Post post
          && post.delivery() == FanOutMode.PULL
          && !isCovered(post)) {
        violations.add("registry does not reach " + post.key());
      }
    }
    return violations;
  }

  private List<String> flag(User user) {
    var violations = new ArrayList<String>();
    if (new CelebrityRule(threshold).applies(user.isCelebrity(), user.followersCount())
        != user.isCelebrity()) {
      violations.add(user.key() + " has another flag than its followers ask for");
    }
    var entry = rows.get(PulledAuthor.key(user.userId()));
    boolean isPulled = entry instanceof PulledAuthor author && author.pullUntil() == null;
    if (isPulled != user.isCelebrity()) {
      violations.add(user.key() + " has another flag than the registry");
    }
    var told =
        crossings.stream()
            .filter(crossing -> crossing.userId().equals(user.userId()))
            .map(Subject.Crossing::version)
            .collect(Collectors.toSet());
    var all =
        LongStream.rangeClosed(1, user.celebrityVersion()).boxed().collect(Collectors.toSet());
    if (!told.equals(all)) {
      violations.add(user.key() + " crossed " + all + " times, and told of " + told);
    }
    return violations;
  }

  private boolean isCovered(Post post) {
    return rows.get(PulledAuthor.key(post.authorId())) instanceof PulledAuthor author
        && author.covering(post.createdAt()).equals(author);
  }
}
