package social.feed.ctl;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;

/** Creates posts as users write them. */
final class Written {
  private static final int FEED_SHARDS = 4;

  private Written() {}

  /** Returns a public post. */
  static Post post(String author, Instant at, String text, String... tags) {
    return new Post(
        TimeOrderedId.named(at, "post", author, text),
        author,
        text,
        List.of(tags),
        List.of(),
        Visibility.PUBLIC,
        null,
        at,
        FEED_SHARDS,
        FanOutMode.PUSH,
        0,
        0,
        Map.of());
  }
}
