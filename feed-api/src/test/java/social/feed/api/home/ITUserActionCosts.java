package social.feed.api.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.FeedServer;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.UserAction;
import social.feed.testkit.cost.Bill;

/** The cost of requests, as AWS bills them, equals the table of costs. */
class ITUserActionCosts {
  private static final int PAGE = 20;
  private static final int AUTHORS = 10;

  /** More than a page; beyond the stored feed a page reads from the authors. */
  private static final int POSTS = PAGE + AUTHORS;

  private FeedServer server;
  private Bill bill;
  private SeedWorld world;
  private Person me;
  private Api caller;
  private final List<Person> authors = new ArrayList<>();
  private final List<Post> posts = new ArrayList<>();

  @BeforeEach
  void start() {
    server = FeedServer.start(Map.of("feed.hot.cached", "0s"));
    world = server.world();
    me = world.user("me");
    caller = server.as(me);
    for (int i = 0; i < AUTHORS; i++) {
      authors.add(world.user("author" + i));
      me.follows(authors.getLast());
    }
    for (int i = 0; i < POSTS; i++) {
      posts.add(authors.get(i % AUTHORS).posts("post " + i));
      world.feeds.deliver(List.of(FeedEntry.of(posts.getLast().ref(), me.id())));
      me.likes(posts.getLast());
    }
    // Records the daily activity before the measurement; reads two posts already.
    caller.get("/v1/feed?limit=1");
    bill = server.table().bill();
  }

  @AfterEach
  void stop() {
    bill.close();
    server.close();
  }

  private static ConsumedUnits units(Answer answer) {
    assertThat(answer.status()).as(answer.text()).isBetween(200, 299);
    return new ConsumedUnits(
        Double.parseDouble(answer.header("X-Consumed-Read-Units").orElseThrow()),
        Double.parseDouble(answer.header("X-Consumed-Write-Units").orElseThrow()));
  }

  private Answer page() {
    Answer page = caller.get("/v1/feed?limit=" + PAGE);
    assertThat(page.json().get("items").size()).isEqualTo(PAGE);
    return page;
  }

  @Test
  void page_costsItsPosts_andAfterFollowItsAuthors() {
    caller.post("/v1/users/" + world.user("stranger").id() + "/follow");

    assertThat(units(page())).isEqualTo(UserAction.PAGE_AFTER_FOLLOW.request());
    assertThat(units(page())).isEqualTo(UserAction.PAGE.request());
  }

  private Post unliked() {
    return authors.getFirst().posts("not liked yet");
  }

  @Test
  void like_costsTheSameOfAnyPost() {
    assertThat(units(caller.post("/v1/posts/" + unliked().postId() + "/like")))
        .isEqualTo(UserAction.LIKE.request());
  }

  @Test
  void comment_costsTheSameOfAnyPost() {
    assertThat(
            units(
                caller.post(
                    "/v1/posts/" + posts.getLast().postId() + "/comments", "{\"text\":\"Hi\"}")))
        .isEqualTo(UserAction.COMMENT.request());
  }

  @Test
  void follow_costsTheEdgeAndTheQuota() {
    Person stranger = world.user("stranger");

    assertThat(units(caller.post("/v1/users/" + stranger.id() + "/follow")))
        .isEqualTo(UserAction.FOLLOW.request());
  }

  @Test
  void post_costsTheRowAndItsIdempotencyKey() {
    Answer posted =
        caller.with("Idempotency-Key", "once").post("/v1/posts", "{\"text\":\"Hello #sea\"}");

    assertThat(units(posted)).isEqualTo(UserAction.POST.request());
  }
}
