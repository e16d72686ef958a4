package social.feed.api.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.FeedServer;
import social.feed.table.cost.CostFormulas;
import social.feed.table.cost.UserAction;
import social.feed.table.home.PullRegistry;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Inbox;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.cost.Bill;

/** The cost of requests, as AWS bills them, equals the table of costs. */
class ITUserActionCosts {
  private static final int PAGE = 20;
  private static final int AUTHORS = 10;

  /** More than a page; beyond the stored feed a page reads from the authors. */
  private static final int POSTS = PAGE + AUTHORS;

  /** One more than a page queries at once. */
  private static final int MOST_PULLED = 17;

  private static final long NEVER = 4_000_000_000L;
  private static final Map<String, Object> NO_CACHES =
      Map.of("feed.hot.cached", "0s", "feed.pull.registry-cached", "0s");

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

  @Test
  void firstPages_ofADayAndOfAnHour_noteThatTheCallerReads() {
    var server = this.server.another(Map.of("feed.hot.cached", "0s"));
    server.as(authors.getFirst()).get("/v1/feed");
    server.as(authors.getFirst()).get("/v1/feed");
    assertThat(units(server.as(me).get("/v1/feed?limit=" + PAGE)))
        .isEqualTo(
            UserAction.PAGE_AFTER_FOLLOW
                .request()
                .plus(UserAction.FIRST_PAGE_OF_AN_HOUR.request()));

    var yesterday = Instant.now().truncatedTo(ChronoUnit.MILLIS).minus(Duration.ofHours(25));
    this.server.table().table().putAll(List.of(FeedActivity.at(me.id(), yesterday)));
    var later = this.server.another(Map.of("feed.hot.cached", "0s"));
    later.as(authors.getFirst()).get("/v1/feed");
    later.as(authors.getFirst()).get("/v1/feed");
    assertThat(units(later.as(me).get("/v1/feed?limit=" + PAGE)))
        .isEqualTo(
            UserAction.PAGE_AFTER_FOLLOW.request().plus(UserAction.FIRST_PAGE_OF_A_DAY.request()));
  }

  @Test
  void otherRequests_costTheirRows() {
    var author = "/v1/users/" + authors.getFirst().id();
    for (int i = 0; i < PAGE + AUTHORS; i++) {
      world.user("follower" + i).follows(authors.getFirst());
    }
    assertThat(units(caller.get(author + "/followers?limit=" + PAGE)))
        .isEqualTo(UserAction.LIST.request());
    assertThat(units(caller.get("/v1/posts/" + posts.getFirst().postId())))
        .isEqualTo(UserAction.VIEW_POST.request());
    assertThat(units(caller.get(author))).isEqualTo(UserAction.VIEW_PROFILE.request());
    assertThat(units(caller.delete(author + "/follow"))).isEqualTo(UserAction.UNFOLLOW.request());
    var newcomer = "{\"handle\":\"newcomer\",\"display_name\":\"New\"}";
    assertThat(units(server.as("newcomer").post("/v1/users", newcomer)))
        .isEqualTo(UserAction.REGISTER.request());
  }

  @Test
  void followList_costsItsAccountsAndOneMore() {
    var at = posts.getFirst().createdAt();
    for (int accounts : List.of(0, 1, 9, 11, 12, 20, 21, 40)) {
      var owner = id(1_000 + accounts);
      var rows = new ArrayList<Row>(List.of(User.registered(owner, owner, "Owner", null, at)));
      for (int i = 0; i < accounts; i++) {
        rows.add(User.registered(id(i), id(i), "Member", null, at));
        rows.add(Follow.of(id(i), owner, at));
        rows.add(Follow.of(owner, id(i), at));
      }
      server.table().table().putAll(rows);

      for (var list : List.of("/followers", "/following")) {
        var page = caller.get("/v1/users/" + owner + list + "?limit=" + CostFormulas.LISTED);
        assertThat(units(page)).as(list).isEqualTo(CostFormulas.followList(accounts));
      }
    }
  }

  private static String id(int number) {
    return "0a1b2c3d-4e5f-6789-abcd-%012d".formatted(number);
  }

  @Test
  void notifications_costTheirListAndTheirActors_andTheirNumberOneUnit() {
    var rows = new ArrayList<Row>();
    for (int i = 0; i < PAGE; i++) {
      var at = posts.getFirst().createdAt().plusSeconds(i);
      rows.add(
          new Notification(
              me.id(),
              TimeOrderedId.named(at, "like " + i),
              NotificationType.LIKE,
              authors.get(i % AUTHORS).id(),
              posts.getFirst().postId(),
              at,
              false,
              NEVER,
              true));
    }
    rows.add(new Inbox(me.id(), PAGE, Map.of(), true, null, null, NEVER, 0, 0, null, null, null));
    server.table().table().putAll(rows);

    assertThat(units(caller.get("/v1/notifications?limit=" + PAGE)))
        .isEqualTo(UserAction.NOTIFICATIONS.request());
    assertThat(units(caller.get("/v1/notifications/unread-count")))
        .isEqualTo(UserAction.UNREAD_COUNT.request());
    assertThat(units(caller.post("/v1/notifications/read-all")))
        .isEqualTo(UserAction.READ_ALL.request());
  }

  /** The authors have more posts than a page, and none of them is shown. */
  @Test
  void pulledAuthors_costAPageOneQueryEach() {
    var server = this.server.another(NO_CACHES);
    var registry = new PullRegistry(this.server.table().table());
    for (int pulled = 1; pulled <= MOST_PULLED; pulled++) {
      var star = world.user("star" + pulled);
      me.follows(star);
      for (int post = 0; post < PAGE + AUTHORS; post++) {
        world.posts.create(pulled(star, post));
      }
      registry.change(star.id(), Instant.EPOCH, row -> row.covering(Instant.EPOCH.plusSeconds(1)));
      server.as(me).get("/v1/feed?limit=" + PAGE);

      // The revision of the registry is half a unit.
      assertThat(units(server.as(me).get("/v1/feed?limit=" + PAGE)))
          .isEqualTo(
              UserAction.PAGE
                  .request()
                  .plus(CostFormulas.pulledAuthors(pulled))
                  .plus(new ConsumedUnits(0.5, 0)));
    }
  }

  private Post pulled(Person author, int number) {
    var at = posts.getFirst().createdAt().minus(Duration.ofDays(1)).minusSeconds(number);
    return SamplePosts.of(author.id(), at, FanOutMode.PULL);
  }
}
