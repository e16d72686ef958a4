package social.feed.api.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.api.http.Api;
import social.feed.api.http.FeedServer;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/**
 * The cost of a full page of the home feed: 50 posts by 50 authors, all liked by the caller. The
 * local engine charges nothing for absent rows, so the caller likes all posts.
 */
class ITPageCost {
  private static final int PAGE = 50;

  /** More than a page; beyond the stored feed a page reads from the authors. */
  private static final int POSTS = PAGE + 10;

  private static final String FEED = "/v1/feed?limit=" + PAGE;

  private FeedServer server;
  private Api caller;
  private Person me;
  private final List<Person> authors = new ArrayList<>();
  private final List<Post> posts = new ArrayList<>();

  @BeforeEach
  void start() {
    server = FeedServer.start(Map.of("feed.hot.cached", "1h"));
    SeedWorld world = server.world();
    me = world.user("me");
    caller = server.as(me);
    for (int i = 0; i < POSTS; i++) {
      Person author = world.user("author" + i);
      me.follows(author);
      Post post = author.posts("post " + i);
      world.feeds.deliver(List.of(FeedEntry.of(post.ref(), me.id())));
      me.likes(post);
      authors.add(author);
      posts.add(post);
    }
    // Records the daily activity before the measurement; reads two posts already.
    caller.get("/v1/feed?limit=1");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private double units() {
    var answer = caller.get(FEED);
    assertThat(answer.json().get("items").size()).isEqualTo(PAGE);
    assertThat(answer.header("X-Consumed-Write-Units")).hasValue("0");
    return Double.parseDouble(answer.header("X-Consumed-Read-Units").orElseThrow());
  }

  @Test
  void page_ofUncachedPosts_costsItsPosts() {
    assertThat(units()).isEqualTo(102.0);
  }

  @Test
  void page_ofHotPosts_costsTheLikes() {
    units();
    assertThat(units()).isEqualTo(4.0);
  }

  @Test
  void unfollow_onAnotherServer_countsAtOnce() {
    units();
    me.unfollows(authors.getLast());
    assertThat(caller.get(FEED).text())
        .doesNotContain(posts.getLast().postId())
        .contains(posts.get(POSTS - PAGE).postId());
  }
}
