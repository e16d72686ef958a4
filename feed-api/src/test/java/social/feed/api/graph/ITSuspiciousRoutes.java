package social.feed.api.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.json.tree.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.Paged;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Suspect;
import social.feed.table.row.Suspect.Evidence;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.suspicion.Suspects;
import social.feed.testkit.PagingLaw;
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

  /** Time to live deletes late, and an erasure too, so the index still has their entries. */
  @Test
  void pages_behindAccountsThatAreNotListed_areFull() {
    Instant old = day().minus(Retention.SUSPICIONS).minus(Duration.ofDays(1));
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      Person person = world.user("p%02d".formatted(i));
      note(person, 400, i % 4 == 1 ? old : day());
      switch (i % 4) {
        case 0 -> shown.add(person.id());
        case 2 -> Expect.status(202, server.as(person).delete("/v1/users/me"));
        case 3 -> Expect.status(204, operator.post(of(person, "dismiss")));
        default -> {}
      }
    }
    var suspects = new Suspects(server.table().table());
    assertThat(suspects.listed(new PageRequest(50, null)).slots()).hasSize(50);

    for (int size : List.of(1, 7, 19, 20, 50)) {
      assertThat(listed(size)).containsExactlyElementsOf(shown.reversed());
    }
    Answer first = Expect.status(200, operator.get(LIST + "?limit=1"));
    String last = text(item(first, 0), "user_id");
    Expect.status(204, operator.post(LIST + "/" + last + "/dismiss"));
    Answer next =
        Expect.status(200, operator.get(LIST + "?limit=1&cursor=" + first.at("next_cursor")));
    assertThat(text(item(next, 0), "user_id")).isEqualTo(shown.reversed().get(1));
  }

  /** Returns the ids of the whole list. Each page but the last is full. */
  private List<String> listed(int size) {
    List<String> ids = new ArrayList<>();
    Set<String> cursors = new HashSet<>();
    @Nullable String cursor = null;
    do {
      PagingLaw.continuesOnce(cursors, cursor);
      Answer page = Expect.status(200, operator.get(Paged.path(LIST, size, cursor)));
      cursor = Paged.next(page);
      int items = Objects.requireNonNull(page.json().get("items")).size();
      assertThat(items).isBetween(cursor == null ? 1 : size, size);
      for (int i = 0; i < items; i++) {
        ids.add(text(item(page, i), "user_id"));
      }
    } while (cursor != null);
    return ids;
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
    Answer late = operator.put(of(ann, "slow-down"), until(3_654));
    Expect.blames(422, "until", late);
    assertThat(late.text()).contains("is more than ten years away");
    Expect.status(204, operator.put(of(ann, "slow-down"), until(3_652)));
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

  private Instant day() {
    return server.clock().instant().truncatedTo(ChronoUnit.DAYS);
  }

  private void note(Person person, long follows) {
    note(person, follows, day());
  }

  private void note(Person person, long follows, Instant day) {
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
