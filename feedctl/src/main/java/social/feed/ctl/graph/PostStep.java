package social.feed.ctl.graph;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.BulkInsert;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/**
 * Writes the imported posts of accounts. The id of a post contains its time, so every import must
 * find the same time, whatever other accounts its file has: the time follows from that of the
 * account. An account that would get posts in the future is reported and gets none.
 */
final class PostStep {
  private static final int GROUPS_AT_ONCE = 1_000;

  private final Table table;
  private final Users users;
  private final BulkInsert inserts;
  private final ImportedRows rows;
  private final Clock clock;
  private final ImportResult.Builder result;

  PostStep(Table table, ImportedRows rows, Clock clock, ImportResult.Builder result) {
    this.table = table;
    this.users = new Users(table);
    this.inserts = new BulkInsert(table);
    this.rows = rows;
    this.clock = clock;
    this.result = result;
  }

  /** The result for some accounts. */
  private record Part(long posts, List<String> refused) {}

  /**
   * Writes the posts that do not exist, several transactions at a time. One read unit for each
   * account, and one more for each that is newer than the oldest of its file.
   *
   * @param accounts their ids; the accounts exist already
   * @param posts the number of posts of each
   * @param step advances with the posts
   */
  void insert(Collection<String> accounts, int posts, ImportProgress.Step step) {
    var parts =
        ParallelCalls.mapUntilFailure(
            GraphImport.chunks(accounts, Math.max(1, GROUPS_AT_ONCE / posts)),
            GraphImport.AT_ONCE,
            ids -> {
              var part = insert(ids, posts);
              step.advance((long) ids.size() * posts);
              return part;
            });
    for (var part : parts) {
      result.posts += part.posts;
      result.refused.addAll(part.refused);
    }
  }

  private Part insert(List<String> ids, int posts) {
    // Strongly consistent: another import may have created an account just now.
    var authors = users.current(ids);
    var ofTheFile = withPostsOfTheFile(authors.values());
    var groups = new ArrayList<List<Row>>();
    var refused = new ArrayList<String>();
    for (var id : ids) {
      var author = authors.get(id);
      if (author == null) {
        // It was erased meanwhile.
        continue;
      }
      var start = ofTheFile.contains(id) ? Optional.of(rows.times().start()) : startOfPosts(author);
      if (start.isEmpty()) {
        refused.add(
            "%s gets no posts yet: it registered less than %d hours ago"
                .formatted(id, ImportedTimes.LAST_POST.toHours()));
        continue;
      }
      for (int number = 0; number < posts; number++) {
        groups.add(List.of(rows.post(author, start.get(), number)));
      }
    }
    return new Part(inserts.adopt(groups).size(), refused);
  }

  /** Returns the time from which those of the posts are counted; empty for a new account. */
  private Optional<Instant> startOfPosts(User author) {
    return Optional.of(author.createdAt())
        .filter(start -> !start.plus(ImportedTimes.LAST_POST).isAfter(clock.instant()));
  }

  /**
   * Returns the accounts with posts that an earlier version counted from the oldest account of the
   * file. It wrote the first post first.
   */
  private Set<String> withPostsOfTheFile(Collection<User> authors) {
    var newer =
        authors.stream().filter(user -> user.createdAt().isAfter(rows.times().start())).toList();
    var there =
        table.itemsAt(newer.stream().map(this::firstOfTheFile).toList(), true).stream()
            .map(KeyAttributes::key)
            .collect(Collectors.toSet());
    return newer.stream()
        .filter(user -> there.contains(firstOfTheFile(user)))
        .map(User::userId)
        .collect(Collectors.toSet());
  }

  private Key firstOfTheFile(User author) {
    return rows.post(author, rows.times().start(), 0).key();
  }
}
