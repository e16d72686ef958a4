package social.feed.api.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.json.tree.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Suspect;
import social.feed.table.row.Suspect.Evidence;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.suspicion.Suspects;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** What operators see of suspicious accounts, and what a slow-down does. */
class ITSuspiciousRoutes {
  private static final String LIST = "/v1/operator/suspicious";

  private final FeedServer server =
      FeedServer.start(Map.of("feed.limits.slowed-follows", 1, "feed.limits.unfollow-after", "0s"));
  private final SeedWorld world = server.world();
  private final Person ann = world.user("ann");
  private final Person bob = world.user("bob");
  private final Api operator = server.asOperator(bob);

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void list_explainsEachScore_highestFirst() {
    note(ann, 200);
    note(bob, 400);
    // A block hides no one from an operator.
    ann.blocks(bob);

    Answer page = Expect.status(200, operator.get(LIST));

    assertThat(text(item(page, 0), "user_id")).isEqualTo(bob.id());
    assertThat(text(item(page, 0), "score")).isEqualTo("40");
    assertThat(text(Objects.requireNonNull(item(page, 0).get("reasons")).get(0), "reason"))
        .isEqualTo("follow_burst");
    assertThat(text(Objects.requireNonNull(item(page, 0).get("reasons")).get(0), "value"))
        .isEqualTo("400");
    assertThat(text(Objects.requireNonNull(item(page, 0).get("reasons")).get(0), "threshold"))
        .isEqualTo("200");
    assertThat(text(item(page, 1), "user_id")).isEqualTo(ann.id());
    assertThat(page.text()).doesNotContain("slowed_until");

    Answer first = Expect.status(200, operator.get(LIST + "?limit=1"));
    Answer second =
        Expect.status(200, operator.get(LIST + "?limit=1&cursor=" + first.at("next_cursor")));
    assertThat(text(item(second, 0), "user_id")).isEqualTo(ann.id());
  }

  @Test
  void otherCallers_get404_whateverTheySend() {
    note(ann, 400);
    for (Api caller : List.of(server.as(ann), server.as(bob))) {
      Expect.problem(404, "not_found", caller.get(LIST));
      Expect.problem(404, "not_found", caller.get(LIST + "?limit=x"));
      Expect.problem(404, "not_found", caller.post(of(ann, "dismiss")));
      Expect.problem(404, "not_found", caller.put(of(ann, "slow-down"), "{}"));
      Expect.problem(404, "not_found", caller.delete(of(ann, "slow-down")));
    }
    Expect.problem(401, "unauthenticated", server.anonymous().get(LIST));
  }

  @Test
  void dismissedAccount_isNoLongerListed() {
    note(ann, 400);

    Expect.status(204, operator.post(of(ann, "dismiss")));
    Expect.status(204, operator.post(of(ann, "dismiss")));

    assertThat(Expect.status(200, operator.get(LIST)).text()).doesNotContain(ann.id());
    Expect.problem(404, "not_found", operator.post(of(bob, "dismiss")));
  }

  /** DynamoDB removes expired rows late. */
  @Test
  void expiredRow_isNoLongerListed() {
    note(ann, 400);
    server
        .table()
        .table()
        .update(
            Suspect.key(ann.id()),
            new Update().set(BaseTable.TTL, server.clock().instant().getEpochSecond()),
            Condition.present());

    assertThat(Expect.status(200, operator.get(LIST)).text()).doesNotContain(ann.id());
  }

  @Test
  void slowDown_refusesFurtherFollowsAndUnfollows_untilItEnds() {
    Api caller = server.as(ann);
    String cid = follow(world.user("cid"));
    String dot = follow(world.user("dot"));
    Expect.problem(404, "not_found", operator.put(of(ann, "slow-down"), until(3)));
    Expect.status(204, caller.post(cid));
    Expect.status(204, operator.put(of(ann, "slow-down"), until(3)));

    Answer refused = caller.post(dot);
    Expect.problem(429, "follows_slowed_down", refused);
    assertThat(Long.parseLong(refused.header("Retry-After").orElseThrow())).isBetween(1L, 86_400L);
    Expect.status(204, caller.post(cid));
    Expect.status(204, caller.delete(cid));
    note(ann, 400);
    assertThat(Expect.status(200, operator.get(LIST)).text()).contains("slowed_until");
    assertThat(caller.get("/v1/users/me/export").text()).contains("\"kind\":\"slow_down\"");

    Expect.status(204, operator.delete(of(ann, "slow-down")));
    Expect.status(204, caller.post(dot));
    assertThat(Expect.status(200, operator.get(LIST)).text()).doesNotContain("slowed_until");
    assertThat(caller.get("/v1/users/me/export").text()).doesNotContain("slow_down");
  }

  @Test
  void slowDown_ofABadTime_isRefused() {
    server.as(ann).post(follow(bob));

    Expect.problem(400, "invalid_request", operator.put(of(ann, "slow-down"), "{}"));
    Expect.problem(422, "invalid_content", operator.put(of(ann, "slow-down"), until(-1)));
  }

  private static JsonNode item(Answer page, int number) {
    return Objects.requireNonNull(page.json().get("items")).get(number);
  }

  private static String text(JsonNode node, String field) {
    return Objects.requireNonNull(node.get(field)).coerceStringValue();
  }

  private String until(int days) {
    Instant time = Instant.now().plus(Duration.ofDays(days)).truncatedTo(ChronoUnit.SECONDS);
    return "{\"until\":\"" + time + "\"}";
  }

  private void note(Person person, long follows) {
    Instant day = server.clock().instant().truncatedTo(ChronoUnit.DAYS);
    var burst = SuspicionFinding.of(SuspicionReason.FOLLOW_BURST, follows, 200);
    new Suspects(server.table().table())
        .note(new Evidence(person.id(), follows, day, List.of(burst)));
  }

  private static String of(Person person, String action) {
    return LIST + "/" + person.id() + "/" + action;
  }

  private static String follow(Person person) {
    return "/v1/users/" + person.id() + "/follow";
  }
}
