package social.feed.api.post;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.table.kernel.store.Condition.present;

import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.table.cost.CostFormulas;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.User;
import social.feed.testkit.SeedWorld;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An author whose posts cost more deliveries than one caller may cause. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITDeliveryLimit {
  private static final int BURST = 1_000;

  private final FeedServer server = FeedServer.start(settings());

  /** Slow, so that no token comes back during a test. */
  Map<String, Object> settings() {
    return Map.of(
        "feed.limits.deliveries.units-per-second", 1, "feed.limits.deliveries.burst", BURST);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private Api author(String name, int followers) {
    return author(server.world().user(name), new Update().add(User.FOLLOWERS_COUNT, followers));
  }

  private Api author(SeedWorld.Person author, Update update) {
    server.table().table().update(User.key(author.id()), update, present());
    return server.anonymous().as(author.id());
  }

  private static Update celebrity() {
    return new Update()
        .add(User.FOLLOWERS_COUNT, 200_000)
        .set(User.IS_CELEBRITY, AttributeValue.fromBool(true));
  }

  private static Answer post(Api author, String visibility) {
    return author.post("/v1/posts", "{\"text\":\"x\",\"visibility\":\"%s\"}".formatted(visibility));
  }

  @Test
  void posts_toFollowers_areRefusedOnceTheirDeliveriesExceedTheBurst() {
    var author = author("popular", 100);
    var units = CostFormulas.delivery(100);
    int admitted = (int) Math.ceil(BURST / (units.read() + units.write() + 1));

    for (int i = 0; i < admitted; i++) {
      Expect.status(201, post(author, "public"));
    }
    var refused = post(author, "public");
    Expect.problem(429, "rate_limited", refused);
    assertThat(refused.header("Retry-After")).isPresent();
    Expect.status(201, post(author, "private"));
    Expect.status(200, author.get("/v1/feed"));
  }

  @Test
  void post_toMoreFollowersThanTheBurst_isAccepted_andTheNextWaits() {
    var author = author("famous", 5_000);

    Expect.status(201, post(author, "public"));
    var refused = post(author, "followers");
    Expect.problem(429, "rate_limited", refused);
    assertThat(Integer.parseInt(refused.header("Retry-After").orElseThrow())).isGreaterThan(5_000);
    Expect.status(201, post(author("other", 5_000), "public"));
  }

  @Test
  void post_toFewerFollowersThanAPulledOne_waitsForItsWholeDelivery() {
    var author = author("large", 90_000);
    var units = CostFormulas.delivery(90_000);

    Expect.status(201, post(author, "public"));
    var wait = Integer.parseInt(post(author, "public").header("Retry-After").orElseThrow());
    // A token comes back each second.
    assertThat(wait).isBetween((int) (units.read() + units.write()) - BURST - 60, 400_000);
  }

  /** A post can be hidden right after its delivery. */
  @Test
  void changesOfVisibility_areDeliveriesToo_andHidingIsAWithdrawal() {
    var author = author("flipping", 400);
    var id = Expect.status(201, post(author, "private")).at("id");

    assertThat(
            Stream.of("public", "private", "public", "private", "private")
                .map(visibility -> change(author, id, visibility).status()))
        .containsExactly(200, 200, 429, 200, 200);

    var other = Expect.status(201, post(author, "private")).at("id");
    Expect.problem(429, "rate_limited", author.delete("/v1/posts/" + other));
  }

  /** Each takes a post back from all feeds, as a deletion does. */
  @Test
  void hidings_ofDifferentPosts_areRefusedOnceTheirWithdrawalsExceedTheBurst() {
    var hiding = server.world().user("hiding");
    var author = author(hiding, new Update().add(User.FOLLOWERS_COUNT, 5_000));
    var first = hiding.posts("first").postId();
    var second = hiding.posts("second").postId();

    Expect.status(200, change(author, first, "private"));
    var refused = change(author, second, "private");
    Expect.problem(429, "rate_limited", refused);
    assertThat(Integer.parseInt(refused.header("Retry-After").orElseThrow())).isGreaterThan(5_000);
    assertThat(Expect.status(200, author.get("/v1/posts/" + second)).at("visibility"))
        .isEqualTo("public");
  }

  /** Nothing is delivered, whether deliveries are charged or refused. */
  @Test
  void changes_toTheVisibilityThatThePostHas_areNeitherChargedNorRefused() {
    var author = author("repeating", 400);
    var hidden = Expect.status(201, post(author, "private")).at("id");
    for (int i = 0; i < 3; i++) {
      Expect.status(200, change(author, hidden, "private"));
    }

    var shown = Expect.status(201, post(author, "public")).at("id");
    Expect.problem(429, "rate_limited", post(author, "public"));
    Expect.status(200, change(author, shown, "public"));
    Expect.problem(429, "rate_limited", change(author, shown, "followers"));
  }

  private static Answer change(Api author, String id, String visibility) {
    return author.patch("/v1/posts/" + id, "{\"visibility\":\"%s\"}".formatted(visibility));
  }

  /** What a deletion takes back was delivered to as many, and is charged in a bucket of its own. */
  @Test
  void deletions_areRefusedOnceTheirWithdrawalsExceedTheBurst_andNoPostWithThem() {
    var author = author("regretting", 5_000);
    var first = Expect.status(201, post(author, "private")).at("id");
    var second = Expect.status(201, post(author, "private")).at("id");

    Expect.status(204, author.delete("/v1/posts/" + first));
    var refused = author.delete("/v1/posts/" + second);
    Expect.problem(429, "rate_limited", refused);
    assertThat(Integer.parseInt(refused.header("Retry-After").orElseThrow())).isGreaterThan(5_000);
    Expect.status(200, author.get("/v1/posts/" + second));

    Expect.status(201, post(author, "public"));
  }

  /** A celebrity's post is delivered to none of its followers, but these are notified. */
  @Test
  void posts_ofACelebrity_areChargedForItsSpecialFollowers() {
    var world = server.world();
    var star = world.user("star");
    var fans = IntStream.range(0, 200).mapToObj(i -> world.user("special" + i)).toList();
    fans.forEach(fan -> fan.follows(star));
    fans.forEach(fan -> fan.marks(star));
    var author = author(star, celebrity());

    Expect.status(201, post(author, "public"));
    assertThat(Integer.parseInt(post(author, "public").header("Retry-After").orElseThrow()))
        .isBetween(290, 330);
    var few = author(world.user("few"), celebrity());
    Expect.status(201, post(few, "public"));
    Expect.status(201, post(few, "public"));
  }

  /** It is charged before it is made, so that concurrent deletions do not pass together. */
  @Test
  void deletion_ofNoPost_isCharged() {
    var author = author("guessing", 5_000);
    var own = Expect.status(201, post(author, "private")).at("id");

    Expect.problem(404, "not_found", author.delete("/v1/posts/01ARZ3NDEKTSV4RRFFQ69G5FAV"));

    Expect.problem(429, "rate_limited", author.delete("/v1/posts/" + own));
  }

  @Test
  void deletion_rightAfterADelivery_isNotRefused() {
    var author = author("mistaken", 5_000);
    var shown = Expect.status(201, post(author, "public")).at("id");
    Expect.problem(429, "rate_limited", post(author, "public"));

    Expect.status(204, author.delete("/v1/posts/" + shown));
  }

  @Test
  void deletions_ofAnAuthorWithFewFollowers_areNotLimitedByNumber() {
    var author = author("tidy", 3);
    for (int i = 0; i < 20; i++) {
      var id = Expect.status(201, post(author, "private")).at("id");
      Expect.status(204, author.delete("/v1/posts/" + id));
    }
  }

  /** The follower's feed loses all posts of the author. */
  @Test
  void removals_ofFollowers_areRefusedOnceTheyExceedTheBurst() {
    var world = server.world();
    var shy = world.user("shy");
    var fans = Stream.of("fan1", "fan2").map(world::user).toList();
    fans.forEach(fan -> fan.follows(shy));
    var author = author(shy, new Update().add(User.POSTS_COUNT, 1_000));

    Expect.status(204, author.delete("/v1/users/me/followers/" + fans.getFirst().id()));
    var refused = author.delete("/v1/users/me/followers/" + fans.getLast().id());
    Expect.problem(429, "rate_limited", refused);
    assertThat(Integer.parseInt(refused.header("Retry-After").orElseThrow())).isGreaterThan(1_000);
    Expect.status(201, post(author, "public"));
  }

  /** The caller's feed loses all posts of the account. */
  @Test
  void unfollows_areRefusedOnceTheyExceedTheBurst_andThoseThatKeepPostsAreNot() {
    var world = server.world();
    var fickle = world.user("fickle");
    var followed = Stream.of("prolific1", "prolific2", "prolific3").map(world::user).toList();
    followed.forEach(fickle::follows);
    followed.forEach(other -> author(other, new Update().add(User.POSTS_COUNT, 1_000)));
    var caller = server.as(fickle);

    // Without a follow there is nothing to charge.
    Expect.status(204, caller.delete(follow(author("prolific4"))));
    Expect.status(204, caller.delete(follow(followed.get(0))));
    var refused = caller.delete(follow(followed.get(1)));
    Expect.problem(429, "rate_limited", refused);
    assertThat(Integer.parseInt(refused.header("Retry-After").orElseThrow())).isGreaterThan(1_000);
    Expect.status(204, caller.delete(follow(followed.get(2)) + "?keep_history=true"));
    Expect.status(204, caller.put(block(world.user("stranger")), ""));
  }

  @Test
  void blocks_ofFollowers_areRefusedOnceTheyExceedTheBurst_andThoseOfStrangersAreNot() {
    var world = server.world();
    var shy = world.user("withdrawn");
    var fans = Stream.of("fan3", "fan4").map(world::user).toList();
    fans.forEach(fan -> fan.follows(shy));
    var caller = author(shy, new Update().add(User.POSTS_COUNT, 1_000));

    Expect.status(204, caller.put(block(fans.getFirst()), ""));
    var refused = caller.put(block(fans.getLast()), "");
    Expect.problem(429, "rate_limited", refused);
    assertThat(Integer.parseInt(refused.header("Retry-After").orElseThrow())).isGreaterThan(1_000);
    Expect.status(204, caller.put(block(world.user("stranger2")), ""));
    Expect.status(204, caller.delete("/v1/users/me/followers/" + fans.getLast().id()));
  }

  /** The posts that leave the caller's feed are those of the other account. */
  @Test
  void blocks_ofFollowedAccounts_areChargedForTheirPosts() {
    var world = server.world();
    var upset = world.user("upset");
    var followed = Stream.of("loud1", "loud2").map(world::user).toList();
    followed.forEach(upset::follows);
    followed.forEach(other -> author(other, new Update().add(User.POSTS_COUNT, 1_000)));
    var caller = server.as(upset);

    Expect.status(204, caller.put(block(followed.getFirst()), ""));
    Expect.problem(429, "rate_limited", caller.put(block(followed.getLast()), ""));
    Expect.status(204, caller.delete(follow(followed.getLast())));
  }

  private SeedWorld.Person author(String name) {
    var author = server.world().user(name);
    author(author, new Update().add(User.POSTS_COUNT, 1_000));
    return author;
  }

  private static String follow(SeedWorld.Person other) {
    return "/v1/users/" + other.id() + "/follow";
  }

  private static String block(SeedWorld.Person other) {
    return "/v1/users/" + other.id() + "/block";
  }

  /** Most readers of a post that was pushed have it in their feeds, whatever its author is now. */
  @Test
  void hidings_ofACelebrity_areChargedAsThePostsWereDelivered() {
    var risen = server.world().user("risen");
    var first = risen.posts("first").postId();
    var second = risen.posts("second").postId();
    var author =
        author(
            risen,
            new Update()
                .add(User.FOLLOWERS_COUNT, 120_000)
                .set(User.IS_CELEBRITY, AttributeValue.fromBool(true)));

    Expect.status(200, change(author, first, "private"));
    Expect.problem(429, "rate_limited", change(author, second, "private"));
  }

  /** Each post counts 400 units at least, of 1,000. */
  private static FeedServer limitedByNumber() {
    return FeedServer.start(
        Map.of(
            "feed.limits.deliveries.units-per-second", 1,
            "feed.limits.deliveries.burst", 1_000,
            "feed.limits.deliveries.units-per-post", 400));
  }

  /** The end of a follow reads private posts too. */
  @Test
  void privatePosts_areLimitedByNumber_inABucketOfTheirOwn() {
    try (var limited = limitedByNumber()) {
      var author = limited.as(limited.world().user("secretive"));

      for (int i = 0; i < 3; i++) {
        Expect.status(201, post(author, "private"));
      }
      Expect.problem(429, "rate_limited", post(author, "private"));
      Expect.status(201, post(author, "public"));
    }
  }

  @Test
  void posts_withoutFollowers_areLimitedByNumber() {
    try (var limited = limitedByNumber()) {
      var author = limited.as(limited.world().user("busy"));

      for (int i = 0; i < 3; i++) {
        Expect.status(201, post(author, "public"));
      }
      Expect.problem(429, "rate_limited", post(author, "public"));
    }
  }

  @Test
  void retry_withTheKeyOfAnAcceptedPost_isNotRefused() {
    var author = author("retrying", 5_000).with("Idempotency-Key", "one");

    var first = Expect.status(201, post(author, "public"));
    assertThat(Expect.status(201, post(author, "public")).json()).isEqualTo(first.json());
  }
}
