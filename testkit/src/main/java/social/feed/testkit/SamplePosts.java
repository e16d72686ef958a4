package social.feed.testkit;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;

/** Posts as rows, for tests that write them past the API. */
public final class SamplePosts {
  private SamplePosts() {}

  /** Returns a public post in four shards. An author has one of each millisecond. */
  public static Post of(String authorId, Instant at, FanOutMode delivery) {
    return new Post(
        TimeOrderedId.named(at, authorId),
        authorId,
        "hello",
        List.of(),
        List.of(),
        Visibility.PUBLIC,
        null,
        at,
        4,
        delivery,
        0,
        0,
        Map.of());
  }
}
