package social.feed.api.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

@ExtendWith(FeedServerExtension.class)
class ITSpecialFollowRoutes {
  private final FeedServer server;
  private final Person ann;
  private final Person bob;
  private final Api caller;

  ITSpecialFollowRoutes(FeedServer server, SeedWorld world) {
    this.server = server;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.caller = server.as(ann);
  }

  private static String of(Person person, String what) {
    return "/v1/users/" + person.id() + "/" + what;
  }

  private void assertSpecial(boolean expected) {
    Answer answer = caller.get("/v1/relationships?ids=" + bob.id());
    assertThat(answer.text()).contains("\"special\":" + expected);
  }

  @Test
  void putAndDelete_repeated_succeedAndKeepTheFollow() {
    ann.follows(bob);
    assertSpecial(false);
    for (int i = 0; i < 2; i++) {
      assertThat(Expect.status(204, caller.put(of(bob, "special-follow"))).text()).isEmpty();
      assertSpecial(true);
    }
    for (int i = 0; i < 2; i++) {
      assertThat(Expect.status(204, caller.delete(of(bob, "special-follow"))).text()).isEmpty();
      assertSpecial(false);
    }
    assertThat(caller.get("/v1/relationships?ids=" + bob.id()).text())
        .contains("\"following\":true");
  }

  @Test
  void special_appliesToOneDirection() {
    ann.follows(bob);
    bob.follows(ann);
    bob.marks(ann);

    assertSpecial(false);
  }

  @Test
  void put_costsFourReadUnits_andADeleteTwo() {
    ann.follows(bob);

    Answer put = caller.put(of(bob, "special-follow"));
    Answer delete = caller.delete(of(bob, "special-follow"));

    assertThat(put.header("X-Consumed-Read-Units")).hasValue("4");
    assertThat(delete.header("X-Consumed-Read-Units")).hasValue("2");
  }

  @Test
  void put_withoutFollow_isRejectedAndCreatesNoFollow() {
    Expect.problem(422, "not_followed", caller.put(of(bob, "special-follow")));
    Expect.problem(422, "not_followed", caller.put(of(ann, "special-follow")));
    bob.blocks(ann);
    Expect.problem(422, "not_followed", caller.put(of(bob, "special-follow")));

    assertThat(caller.get("/v1/users/" + ann.id()).at("following_count")).isEqualTo("0");
  }

  @Test
  void putAndDelete_unknownAccountOrWithoutProfile_areRejected() {
    Expect.problem(404, "not_found", caller.put("/v1/users/unknown/special-follow"));
    Expect.problem(404, "not_found", caller.delete("/v1/users/unknown/special-follow"));
    Expect.blames(400, "id", caller.put("/v1/users/a%23b/special-follow"));
    Api stranger = server.as("stranger");
    Expect.problem(409, "not_registered", stranger.put(of(bob, "special-follow")));
    Expect.problem(409, "not_registered", stranger.delete(of(bob, "special-follow")));
  }

  @Test
  void endOfTheFollow_byEitherSide_endsTheSpecialFollow() {
    Runnable unfollow = () -> Expect.status(204, caller.delete(of(bob, "follow")));
    Runnable removal =
        () -> Expect.status(204, server.as(bob).delete("/v1/users/me/followers/" + ann.id()));
    Runnable block =
        () -> {
          Expect.status(204, server.as(bob).put(of(ann, "block")));
          Expect.status(204, server.as(bob).delete(of(ann, "block")));
        };
    for (Runnable end : new Runnable[] {unfollow, removal, block}) {
      ann.follows(bob);
      Expect.status(204, caller.put(of(bob, "special-follow")));
      end.run();
      assertSpecial(false);
      ann.follows(bob);
      assertSpecial(false);
      ann.unfollows(bob);
    }
  }

  @Test
  void put_beyondTheCap_isRejectedUntilAnotherEnds() {
    try (FeedServer small = FeedServer.start(Map.of("feed.limits.special", 1))) {
      SeedWorld there = small.world();
      Person me = there.user("me");
      Person one = there.user("one");
      Person two = there.user("two");
      me.follows(one);
      me.follows(two);
      Api api = small.as(me);

      Expect.status(204, api.put(of(one, "special-follow")));
      Expect.status(204, api.put(of(one, "special-follow")));
      Expect.problem(422, "special_cap_reached", api.put(of(two, "special-follow")));
      Expect.status(204, api.delete(of(one, "follow")));
      Expect.status(204, api.put(of(two, "special-follow")));
    }
  }
}
