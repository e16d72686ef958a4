package social.feed.ctl.graph;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import social.feed.table.id.TimeOrderedId;
import social.feed.table.post.PostText;
import social.feed.table.row.Delivery;
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

  /** The account of an id, with its handle. */
  List<Row> account(String id) {
    var handle = handle(id);
    var user = User.registered(id, handle, "User " + cut(id), null, times.start());
    return List.of(user, new HandleClaim(handle, id));
  }

  /** An edge; nobody is notified of it, since it is no news. */
  Follow edge(String follower, String followee, long place) {
    return new Follow(follower, followee, times.edge(place), null, true);
  }

  /** One of an account's posts. */
  Post post(String account, int number, int posts) {
    var at = times.post(account, number, posts);
    var text = "Post %d of %d by user %s #imported".formatted(number + 1, posts, cut(account));
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
        Delivery.PUSH,
        0,
        0,
        Map.of());
  }

  /** Ids may differ in case or be longer than a handle; such a handle has a hash for a name. */
  private static String handle(String id) {
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
