package social.feed.ctl.verify;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.KeptHistory;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;
import social.feed.table.store.Table;

/**
 * No feed holds what it should not: each entry's post exists, is what the entry says, may be seen,
 * and is the reader's own, followed or kept. Three read units an entry.
 */
record FeedSoundCheck(Table table) implements Check {
  @Override
  public String name() {
    return "feeds sound";
  }

  @Override
  public boolean concerns(Row row) {
    return row instanceof FeedEntry;
  }

  @Override
  public List<Drift> drifts(List<Row> rows) {
    var entries = rows.stream().map(FeedEntry.class::cast).toList();
    var keys =
        entries.stream()
            .flatMap(entry -> Stream.of(Post.key(entry.postId()), edge(entry), history(entry)))
            .toList();
    Map<Key, Row> there = new HashMap<>();
    table.getAll(keys, true).forEach(row -> there.put(row.key(), row));
    return entries.stream()
        .flatMap(e -> problem(e, there).map(p -> new Drift(e, e.key() + " " + p)).stream())
        .toList();
  }

  private static Key edge(FeedEntry entry) {
    return Follow.key(entry.readerId(), entry.authorId());
  }

  private static Key history(FeedEntry entry) {
    return KeptHistory.key(entry.readerId(), entry.authorId());
  }

  private static boolean isKept(FeedEntry entry, Map<Key, Row> there) {
    return there.get(history(entry)) instanceof KeptHistory kept && kept.covers(entry.createdAt());
  }

  private static Optional<String> problem(FeedEntry entry, Map<Key, Row> there) {
    if (!(there.get(Post.key(entry.postId())) instanceof Post post)) {
      return Optional.of("is of a post that does not exist");
    }
    var fresh = FeedEntry.of(post.ref(), entry.readerId());
    if (!fresh.key().equals(entry.key()) || !fresh.indexKeys().equals(entry.indexKeys())) {
      return Optional.of("has other keys than its post asks for: " + fresh.key());
    }
    if (!post.authorId().equals(entry.authorId())) {
      return Optional.of("names another author than its post: " + entry.authorId());
    }
    boolean own = entry.readerId().equals(entry.authorId());
    if (!own && post.visibility() == Visibility.PRIVATE) {
      return Optional.of("is of a private post");
    }
    boolean owed = own || there.containsKey(edge(entry)) || isKept(entry, there);
    return owed ? Optional.empty() : Optional.of("is of an author who is not followed");
  }
}
