package social.feed.ctl;

import java.time.Instant;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.Post;
import social.feed.testkit.SamplePosts;

/** Creates posts as users write them. */
final class Written {
  private Written() {}

  /** Returns a public post. */
  static Post post(String author, Instant at, String text, String... tags) {
    return SamplePosts.by(author, at)
        .id(TimeOrderedId.named(at, "post", author, text))
        .text(text)
        .tags(tags)
        .build();
  }
}
