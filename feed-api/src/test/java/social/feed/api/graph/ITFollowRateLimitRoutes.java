package social.feed.api.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.testkit.SeedWorld;

/** The daily limits and the cool-down as HTTP responses. */
class ITFollowRateLimitRoutes {
  @Test
  void followsAndUnfollows_beyondTheDailyLimit_are429WithRetryAfter() {
    Map<String, Object> pace =
        Map.of(
            "feed.limits.daily-follows", 2,
            "feed.limits.daily-unfollows", 1,
            "feed.limits.unfollow-after", "0s");
    try (FeedServer server = FeedServer.start(pace)) {
      SeedWorld world = server.world();
      Api caller = server.as(world.user("ann"));
      String bob = world.user("bob").id();
      String cid = world.user("cid").id();
      String dot = world.user("dot").id();

      Expect.status(204, caller.post(follow(bob), ""));
      Expect.status(204, caller.post(follow(cid), ""));
      assertRetryAfter(caller.post(follow(dot), ""), "too_many_follows");
      Expect.status(204, caller.post(follow(bob), ""));
      Expect.status(204, caller.delete(follow(bob)));
      Expect.status(204, caller.delete(follow(bob)));
      assertRetryAfter(caller.delete(follow(cid)), "too_many_unfollows");
    }
  }

  @Test
  void unfollow_withinTheCoolDown_is429WithRetryAfter() {
    try (FeedServer server = FeedServer.start(Map.of("feed.limits.unfollow-after", "1h"))) {
      SeedWorld world = server.world();
      Api caller = server.as(world.user("ann"));
      String bob = world.user("bob").id();

      Expect.status(204, caller.post(follow(bob), ""));
      assertRetryAfter(caller.delete(follow(bob)), "followed_too_recently");
    }
  }

  private static String follow(String userId) {
    return "/v1/users/" + userId + "/follow";
  }

  private static void assertRetryAfter(Answer answer, String code) {
    Expect.problem(429, code, answer);
    assertThat(Long.parseLong(answer.header("Retry-After").orElseThrow())).isBetween(1L, 86_400L);
  }
}
