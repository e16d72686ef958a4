package social.feed.ctl.graph;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.post.PostText;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Follow;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/** Creates the rows of an imported graph; the same graph always gives the same rows. */
record ImportedRows(ImportedTimes times, int feedShards) {
  private static final Pattern FITS_HANDLE = Pattern.compile("[a-z0-9_]{1,25}");
  private static final int HASH_DIGITS = 12;

  /**
   * Returns the account of an id, and its handle claim.
   *
   * @param attempt 0 for the handle of the id, more if another account has that handle
   */
  List<Row> account(String id, int attempt) {
    var handle = handle(id, attempt);
    var user = User.registered(id, handle, "User " + cut(id), null, times.start());
    return List.of(user, new HandleClaim(handle, id));
  }

  /**
   * Returns an edge without a notification, because it is not new.
   *
   * @param registered when the follower was registered; an edge is never older. A reader without a
   *     recorded read counts as inactive since the edge for deliveries, and since the registration
   *     for the feed
   */
  Follow edge(String follower, String followee, long line, Instant registered) {
    var at = times.edge(line);
    return Follow.imported(follower, followee, at.isBefore(registered) ? registered : at);
  }

  /**
   * Returns a post of an account, which does not depend on the number of its posts.
   *
   * @param start the time from which those of its posts are counted
   */
  Post post(User author, Instant start, int number) {
    var account = author.userId();
    var at = ImportedTimes.post(start, account, number);
    var text = "Post %d by user %s #imported".formatted(number + 1, cut(account));
    return new Post(
        TimeOrderedId.named(at, "import", account, Integer.toString(number)),
        account,
        text,
        PostText.tags(text),
        List.of(),
        Visibility.PUBLIC,
        null,
        at,
        feedShards,
        FanOutMode.of(author),
        0,
        0,
        Map.of());
  }

  /** Returns a handle. If the id does not fit, by its case or length, its hash is the handle. */
  String handle(String id, int attempt) {
    if (attempt > 0) {
      // No id has this separator, so no other id has this hash.
      return "user_" + hash(id + "#" + attempt);
    }
    return "user_" + (FITS_HANDLE.matcher(id).matches() ? id : hash(id));
  }

  private static String hash(String id) {
    return UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8))
        .toString()
        .replace("-", "")
        .substring(0, HASH_DIGITS);
  }

  private static String cut(String id) {
    return id.substring(0, Math.min(id.length(), 40));
  }
}
