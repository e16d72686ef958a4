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

/** The rows that an imported graph becomes; the same graph becomes the same rows. */
record ImportedRows(ImportedTimes times, int feedShards) {
  private static final Pattern FITS_HANDLE = Pattern.compile("[a-z0-9_]{1,25}");
  private static final int HASH_DIGITS = 12;

  /**
   * The account of an id, with its handle.
   *
   * @param attempt 0 for the handle that it should have, more when that is somebody else's
   */
  List<Row> account(String id, int attempt) {
    var handle = handle(id, attempt);
    var user = User.registered(id, handle, "User " + cut(id), null, times.start());
    return List.of(user, new HandleClaim(handle, id));
  }

  /**
   * An edge; nobody is notified of it, since it is no news.
   *
   * @param registered when the follower was. Nobody has followed before: who is not known to have
   *     read counts as away since the edge for deliveries, and since the registration for the feed
   */
  Follow edge(String follower, String followee, long place, Instant registered) {
    var at = times.edge(place);
    return Follow.adopted(follower, followee, at.isBefore(registered) ? registered : at);
  }

  /** One of an account's posts, the same however many it gets. */
  Post post(String account, int number, FanOutMode delivery) {
    var at = times.post(account, number);
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
        delivery,
        0,
        0,
        Map.of());
  }

  /** Ids may differ in case or be longer than a handle; such a handle has a hash for a name. */
  String handle(String id, int attempt) {
    if (attempt > 0) {
      // No id has this separator, so it is the hash of no other.
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
