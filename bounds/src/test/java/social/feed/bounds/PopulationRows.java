package social.feed.bounds;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Media;
import social.feed.table.row.Mention;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.testkit.SamplePosts;

/**
 * Accounts and posts of a world. All ids have a fixed width, so a row has the same size in every
 * world.
 *
 * @param registered when all accounts were
 */
record PopulationRows(Instant registered) {
  static String numbered(String name, int number) {
    return "%s%06d".formatted(name, number);
  }

  static HandleClaim claim(String id) {
    return new HandleClaim(id, id);
  }

  static Post post(String author, Instant at) {
    return post(author, at, "Hello", List.of(), List.of(), Visibility.PUBLIC);
  }

  /** A post with a tag and a mention. */
  static Post tagged(String author, Instant at, String tag, Visibility visibility) {
    var mention = new Mention(Population.TARGET, Population.TARGET);
    return post(
        author, at, "Hello @target at the #" + tag, List.of(tag), List.of(mention), visibility);
  }

  private static Post post(
      String author,
      Instant at,
      String text,
      List<String> tags,
      List<Mention> mentions,
      Visibility visibility) {
    return SamplePosts.by(author, at)
        .text(text)
        .tags(tags)
        .mentions(mentions)
        .visibility(visibility)
        .feedShards(Population.FEED_SHARDS)
        .build();
  }

  User user(String id, long followers, long following, long posts) {
    return user(id, followers, following, posts, Map.of());
  }

  User user(String id, long followers, long following, long posts, Map<String, String> marks) {
    return user(id, followers, following, posts, marks, false);
  }

  User celebrity(String id) {
    return user(id, 1, 0, 0, Map.of(), true);
  }

  private User user(
      String id,
      long followers,
      long following,
      long posts,
      Map<String, String> marks,
      boolean isCelebrity) {
    return new User(
        id,
        id,
        "A name",
        null,
        registered,
        followers,
        following,
        following,
        posts,
        isCelebrity,
        isCelebrity ? 1 : 0,
        marks);
  }

  User withAvatar(String id, Media file) {
    return new User(
        id,
        id,
        "A name",
        null,
        registered,
        0,
        0,
        0,
        0,
        false,
        0,
        Map.of(),
        file.copy().orElseThrow(),
        null);
  }
}
