package social.feed.api.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.Paged;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.OnlyEmbedded;
import social.feed.testkit.OnlyEmbedded.Reason;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

@ExtendWith(FeedServerExtension.class)
class ITFollows {
  private final FeedServer server;
  private final SeedWorld world;
  private final Person ann;
  private final Person bob;
  private final Api caller;

  ITFollows(FeedServer server, SeedWorld world) {
    this.server = server;
    this.world = world;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.caller = server.as(ann);
  }

  private static String follow(String id) {
    return "/v1/users/" + id + "/follow";
  }

  @Test
  void follow_repeated_succeeds() {
    for (int i = 0; i < 2; i++) {
      var answer = Expect.status(204, caller.post(follow(bob.id())));
      assertThat(answer.text()).isEmpty();
    }

    assertThat(world.follows.get(ann.id(), bob.id())).isPresent();
    assertThat(world.quotas.of(ann.id()).following()).isEqualTo(1);
  }

  @Test
  void follow_ofACelebrity_isSilent() {
    new Counters(server.table().table(), new CelebrityRule(1))
        .apply(
            "shardId-00000001",
            Map.of(User.key(bob.id()), List.of(new CountChange("1", User.FOLLOWERS_COUNT, 1))));

    Expect.status(204, caller.post(follow(bob.id())));
    Expect.status(204, server.as(bob).post(follow(ann.id())));

    assertThat(world.follows.get(ann.id(), bob.id()).orElseThrow().silent()).isTrue();
    assertThat(world.follows.get(bob.id(), ann.id()).orElseThrow().silent()).isFalse();
  }

  /** Without turns they would replace each other's quota, and some would end with 503. */
  @Test
  @OnlyEmbedded(Reason.CALLS_IN_TURN)
  void follows_manyAtOnce_allSucceed_andCostNoMoreThanOneAfterTheOther() {
    var alone = List.of(Expect.status(204, caller.post(follow(bob.id()))));
    var others = IntStream.range(0, 16).mapToObj(i -> world.user("other" + i)).toList();

    var answers =
        ParallelCalls.map(others, others.size(), other -> caller.post(follow(other.id())));

    assertThat(answers).allSatisfy(answer -> Expect.status(204, answer));
    assertThat(world.quotas.of(ann.id()).following()).isEqualTo(17);
    for (var header : List.of("X-Consumed-Read-Units", "X-Consumed-Write-Units")) {
      assertThat(units(answers, header)).as(header).isEqualTo(16 * units(alone, header));
    }
  }

  private static double units(List<Answer> answers, String header) {
    return answers.stream()
        .mapToDouble(a -> Double.parseDouble(a.header(header).orElseThrow()))
        .sum();
  }

  @Test
  void unfollow_repeated_succeeds() {
    ann.follows(bob);

    for (int i = 0; i < 2; i++) {
      Expect.status(204, caller.delete(follow(bob.id())));
    }

    assertThat(world.follows.get(ann.id(), bob.id())).isEmpty();
    assertThat(world.quotas.of(ann.id()).following()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void unfollow_withKeepHistory_retainsThePosts(boolean keepHistory) {
    ann.follows(bob);

    Expect.status(204, caller.delete(follow(bob.id()) + "?keep_history=" + keepHistory));

    assertThat(world.follows.get(ann.id(), bob.id())).isEmpty();
    assertThat(new RetainedPostsStore(server.table().table()).keeps(ann.id(), bob.id()))
        .isEqualTo(keepHistory);
  }

  @ParameterizedTest
  @CsvSource({"1", "yes", "TRUE", "''"})
  void unfollow_withInvalidKeepHistory_isMalformed(String keepHistory) {
    Expect.blames(
        400, "keep_history", caller.delete(follow(bob.id()) + "?keep_history=" + keepHistory));
  }

  @Test
  void follow_self_isRejected() {
    Expect.problem(422, "self_follow", caller.post(follow(ann.id())));
  }

  @Test
  void follow_unknownAccount_isMissing() {
    Expect.problem(404, "not_found", caller.post(follow("unknown")));
    Expect.problem(404, "not_found", caller.delete(follow("unknown")));
    Expect.blames(400, "id", caller.post(follow("a%23b")));
  }

  @Test
  void follow_withoutProfile_isAConflict() {
    Api stranger = server.as("stranger");

    Expect.problem(409, "not_registered", stranger.post(follow(bob.id())));
    Expect.problem(409, "not_registered", stranger.delete(follow(bob.id())));
  }

  @Test
  void follow_withoutToken_isRejected() {
    Expect.problem(401, "unauthenticated", server.anonymous().post(follow(bob.id())));
    Expect.problem(401, "unauthenticated", server.anonymous().delete(follow(bob.id())));
  }

  @Test
  void follow_beyondTheCap_isRejected() {
    try (FeedServer small = FeedServer.start(Map.of("feed.limits.followed", 2))) {
      SeedWorld there = small.world();
      Api me = small.as(there.user("ann"));
      List<Person> others = IntStream.range(0, 3).mapToObj(i -> there.user("x" + i)).toList();

      Expect.status(204, me.post(follow(others.get(0).id())));
      Expect.status(204, me.post(follow(others.get(1).id())));
      Expect.problem(422, "follow_cap_reached", me.post(follow(others.get(2).id())));
      Expect.status(204, me.post(follow(others.get(1).id())));
      Expect.status(204, me.delete(follow(others.get(0).id())));
      Expect.status(204, me.post(follow(others.get(2).id())));
    }
  }

  @Test
  void lists_areNewestFirstInPagesOfAnySize() {
    List<Person> fans = IntStream.range(0, 7).mapToObj(i -> world.user("fan" + i)).toList();
    fans.forEach(fan -> fan.follows(bob));
    fans.forEach(bob::follows);
    List<String> newestFirst = fans.reversed().stream().map(Person::id).toList();

    Paged.holds(caller, "/v1/users/" + bob.id() + "/followers", newestFirst);
    Paged.holds(caller, "/v1/users/" + bob.id() + "/following", newestFirst);
  }

  @Test
  void list_showsAccountsAndFollowTimes() {
    var edge = bob.follows(ann);

    var item = caller.get("/v1/users/" + ann.id() + "/followers").json().get("items").get(0);

    assertThat(item.get("id").getStringValue()).isEqualTo(bob.id());
    assertThat(item.get("handle").getStringValue()).isEqualTo(bob.account().handle());
    assertThat(item.get("display_name").getStringValue()).isEqualTo("bob");
    assertThat(item.get("followed_at").getStringValue())
        .isEqualTo(Timestamps.format(edge.createdAt()));
    assertThat(item.size()).isEqualTo(4);
  }

  @Test
  void list_invalidParameters_areRejected() {
    world.user("c").follows(bob);
    world.user("d").follows(bob);
    String path = "/v1/users/" + bob.id() + "/followers";

    Paged.rejectsInvalidParameters(
        caller, server.as(bob), path, "/v1/users/" + bob.id() + "/following", 500);
    Expect.problem(404, "not_found", caller.get("/v1/users/unknown/followers"));
    Expect.problem(404, "not_found", caller.get("/v1/users/unknown/following"));
    Expect.problem(401, "unauthenticated", server.anonymous().get(path));
  }

  @Test
  void list_withoutFollows_isEmpty() {
    assertThat(caller.get("/v1/users/" + ann.id() + "/followers").text())
        .isEqualTo("{\"items\":[]}");
  }

  @Test
  void commonFollowing_isTheIntersection_inTheOrderOfTheOther() {
    List<Person> others = IntStream.range(0, 7).mapToObj(i -> world.user("other" + i)).toList();
    others.forEach(bob::follows);
    for (int i : List.of(5, 0, 3)) {
      ann.follows(others.get(i));
    }
    ann.follows(world.user("other-x"));
    ann.follows(bob);
    String path = "/v1/users/" + bob.id() + "/common-following";

    Paged.holds(caller, path, List.of(others.get(5).id(), others.get(3).id(), others.get(0).id()));
    assertThat(server.as(others.getFirst()).get(path).text()).isEqualTo("{\"items\":[]}");
    Expect.problem(404, "not_found", caller.get("/v1/users/unknown/common-following"));
  }

  @Test
  void mutuals_followEachOther_inTheOrderOfTheFollowsByTheAccount() {
    List<Person> others = IntStream.range(0, 7).mapToObj(i -> world.user("other" + i)).toList();
    for (int i : List.of(3, 5, 0)) {
      others.get(i).follows(bob);
    }
    others.forEach(bob::follows);
    world.user("fan").follows(bob);
    String path = "/v1/users/" + bob.id() + "/mutuals";
    List<String> mutuals = List.of(others.get(5).id(), others.get(3).id(), others.get(0).id());

    Paged.holds(caller, path, mutuals);
    Paged.holds(server.as(bob), path, mutuals);
    assertThat(caller.get(path).json().get("items").get(0).get("followed_at").getStringValue())
        .isEqualTo(
            Timestamps.format(
                world.follows.get(bob.id(), others.get(5).id()).orElseThrow().createdAt()));
    Paged.rejectsInvalidParameters(
        caller, server.as(bob), path, "/v1/users/" + bob.id() + "/common-following", 500);
    Expect.problem(404, "not_found", caller.get("/v1/users/unknown/mutuals"));
    others.get(3).unfollows(bob);
    bob.unfollows(others.get(0));
    Paged.holds(caller, path, List.of(others.get(5).id()));
    assertThat(server.as(others.getFirst()).get("/v1/users/" + ann.id() + "/mutuals").text())
        .isEqualTo("{\"items\":[]}");
  }

  @Test
  void removeFollower_repeated_succeeds() {
    bob.follows(ann);
    ann.follows(bob);

    for (int i = 0; i < 2; i++) {
      Expect.status(204, caller.delete("/v1/users/me/followers/" + bob.id()));
    }

    assertThat(world.follows.get(bob.id(), ann.id())).isEmpty();
    assertThat(world.follows.get(ann.id(), bob.id())).isPresent();
    assertThat(world.quotas.of(bob.id()).following()).isZero();
    Expect.problem(404, "not_found", caller.delete("/v1/users/me/followers/unknown"));
    Expect.problem(
        409, "not_registered", server.as("stranger").delete("/v1/users/me/followers/" + ann.id()));
  }
}
