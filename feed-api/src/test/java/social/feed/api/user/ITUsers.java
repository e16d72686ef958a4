package social.feed.api.user;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.cost.Bill;

@ExtendWith(FeedServerExtension.class)
class ITUsers {
  private final FeedServer server;
  private final String id = "u-" + UUID.randomUUID();
  private final String handle = "h" + id.substring(2, 12).replace('-', '_');
  private final Api caller;

  ITUsers(FeedServer server) {
    this.server = server;
    this.caller = server.as(id);
  }

  private Answer register(String handle, String name) {
    return caller.post(
        "/v1/users", "{\"handle\":\"" + handle + "\",\"display_name\":\"" + name + "\"}");
  }

  @Test
  void register_newAccount_answersTheProfile() {
    String profile =
        "{\"handle\":\"" + handle + "\",\"display_name\":\"Ann Ä\",\"bio\":\"one\\ntwo\"}";
    Answer answer;
    try (Bill _ = server.table().bill()) {
      answer = Expect.status(201, caller.post("/v1/users", profile));
    }

    assertThat(answer.header("Location")).hasValue("/v1/users/" + id);
    assertThat(answer.header("Content-Type")).hasValue("application/json");
    assertThat(answer.at("id")).isEqualTo(id);
    assertThat(answer.at("handle")).isEqualTo(handle);
    assertThat(answer.at("display_name")).isEqualTo("Ann Ä");
    assertThat(answer.at("bio")).isEqualTo("one\ntwo");
    assertThat(answer.at("created_at")).matches("\\d{4}-\\d\\d-\\d\\dT[0-9:]{8}\\.\\d{3}Z");
    for (String count : new String[] {"followers_count", "following_count", "posts_count"}) {
      assertThat(answer.at(count)).isEqualTo("0");
    }
    assertThat(answer.at("is_celebrity")).isEqualTo("false");
    assertThat(answer.header("X-Consumed-Write-Units")).hasValue("6");
    assertThat(answer.header("X-Consumed-Read-Units")).hasValue("0");
  }

  @Test
  void register_again_answers200WithTheSameProfile() {
    Answer first = Expect.status(201, register(handle, "Ann"));

    Answer second = Expect.status(200, register(handle, "Ann"));

    assertThat(second.text()).isEqualTo(first.text());
  }

  @Test
  void register_againWithAnotherHandle_isAConflict() {
    register(handle, "Ann");

    Expect.problem(409, "already_registered", register(handle + "x", "Ann"));
  }

  @Test
  void register_withTakenHandle_isAConflictInAnyCase(SeedWorld world) {
    String taken = world.user("taken").account().handle();

    Expect.problem(409, "handle_taken", register(taken, "Ann"));
    Expect.problem(409, "handle_taken", register(taken.toUpperCase(java.util.Locale.ROOT), "Ann"));
    Expect.problem(404, "not_found", caller.get("/v1/users/" + id));
  }

  @ParameterizedTest
  @CsvSource({"ab, Ann, handle", "a-b, Ann, handle", "abc, ' ', display_name"})
  void register_invalidFields_areRejected(String wrongHandle, String name, String field) {
    Expect.blames(422, field, register(wrongHandle, name));
  }

  @Test
  void register_withLongName_isRejected() {
    Expect.status(201, register(handle, "x".repeat(50)));
    Expect.blames(422, "display_name", register(handle, "x".repeat(51)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"handle\":\"abc\"} | display_name",
        "{\"display_name\":\"A\"} | handle",
        "{\"handle\":1,\"display_name\":\"A\"} | handle",
        "{\"handle\":\"abc\",\"display_name\":\"A\",\"role\":\"admin\"} | role"
      })
  void register_withWrongShape_isMalformed(String body, String field) {
    Expect.blames(400, field, caller.post("/v1/users", body));
  }

  @Test
  void get_profileOfAnother_showsIt(SeedWorld world) {
    var bob = world.user("bob");

    Answer answer = Expect.status(200, caller.get("/v1/users/" + bob.id()));

    assertThat(answer.at("id")).isEqualTo(bob.id());
    assertThat(answer.at("display_name")).isEqualTo("bob");
    assertThat(answer.json().get("bio")).isNull();
    assertThat(answer.header("X-Consumed-Read-Units")).hasValue("1");
  }

  @Test
  void get_ownProfile_countsFollowedAccountsExactly(SeedWorld world) {
    var ann = world.user("ann");
    ann.follows(world.user("bob"));
    ann.follows(world.user("carol"));

    assertThat(server.as(ann).get("/v1/users/" + ann.id()).at("following_count")).isEqualTo("2");
    assertThat(caller.get("/v1/users/" + ann.id()).at("following_count")).isEqualTo("0");
  }

  @Test
  void get_unknown_isMissing() {
    Expect.problem(404, "not_found", caller.get("/v1/users/unknown"));
    Expect.problem(404, "not_found", caller.get("/v1/users/by-handle/unknown_at_all"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a%23b", "a%20b", "%C3%A4", "x%00"})
  void get_malformedId_isMalformed(String malformed) {
    Expect.blames(400, "id", caller.get("/v1/users/" + malformed));
  }

  @Test
  void getByHandle_inAnyCase_finds(SeedWorld world) {
    var bob = world.user("bob");
    String taken = bob.account().handle();

    assertThat(caller.get("/v1/users/by-handle/" + taken).at("id")).isEqualTo(bob.id());
    assertThat(
            caller
                .get("/v1/users/by-handle/" + taken.toUpperCase(java.util.Locale.ROOT))
                .at("handle"))
        .isEqualTo(taken);
    Expect.blames(400, "handle", caller.get("/v1/users/by-handle/ab"));
  }

  @Test
  void change_ofSomeFields_leavesTheRest() {
    register(handle, "Ann");

    Answer named = Expect.status(200, caller.patch("/v1/users/me", "{\"bio\":\"hi\"}"));
    Answer renamed = caller.patch("/v1/users/me", "{\"display_name\":\"Anna\"}");
    Answer cleared = caller.patch("/v1/users/me", "{\"bio\":\"\"}");
    Answer nothing = caller.patch("/v1/users/me", "{}");

    assertThat(named.at("bio")).isEqualTo("hi");
    assertThat(named.at("display_name")).isEqualTo("Ann");
    assertThat(renamed.at("bio")).isEqualTo("hi");
    assertThat(renamed.at("display_name")).isEqualTo("Anna");
    assertThat(cleared.json().get("bio")).isNull();
    assertThat(nothing.text()).isEqualTo(cleared.text());
    assertThat(caller.get("/v1/users/" + id).text()).isEqualTo(cleared.text());
  }

  @Test
  void change_ofTheHandle_appearsInEarlierPosts(SeedWorld world) {
    register(handle, "Ann");
    String post = Expect.status(201, caller.post("/v1/posts", "{\"text\":\"hello\"}")).at("id");
    String other = handle + "_2";

    Answer renamed =
        Expect.status(200, caller.patch("/v1/users/me", "{\"handle\":\"" + other + "\"}"));

    assertThat(renamed.at("handle")).isEqualTo(other);
    Api reader = server.as(world.user("reader").id());
    assertThat(reader.get("/v1/posts/" + post).at("author", "handle")).isEqualTo(other);
    assertThat(reader.get("/v1/users/by-handle/" + other).at("id")).isEqualTo(id);
    Expect.problem(404, "not_found", reader.get("/v1/users/by-handle/" + handle));
    Expect.problem(409, "already_registered", register(handle, "Ann"));
    assertThat(Expect.status(200, register(other, "Ann")).at("id")).isEqualTo(id);
  }

  @Test
  void change_toATakenHandle_isAConflictInAnyCase(SeedWorld world) {
    register(handle, "Ann");
    String taken = world.user("taken").account().handle().toUpperCase(java.util.Locale.ROOT);

    Expect.problem(
        409,
        "handle_taken",
        caller.patch("/v1/users/me", "{\"handle\":\"" + taken + "\",\"bio\":\"x\"}"));
    Answer unchanged = caller.get("/v1/users/me");
    assertThat(unchanged.at("handle")).isEqualTo(handle);
    assertThat(unchanged.json().get("bio")).isNull();
  }

  @Test
  void change_withoutProfile_isAConflict() {
    Expect.problem(409, "not_registered", caller.patch("/v1/users/me", "{\"bio\":\"hi\"}"));
    Expect.problem(409, "not_registered", caller.patch("/v1/users/me", "{}"));
  }

  @Test
  void change_invalidFields_areRejected() {
    register(handle, "Ann");

    Expect.blames(422, "display_name", caller.patch("/v1/users/me", "{\"display_name\":\"\"}"));
    Expect.blames(
        422, "display_name", caller.patch("/v1/users/me", "{\"display_name\":\"a\\nb\"}"));
    Expect.blames(
        422, "bio", caller.patch("/v1/users/me", "{\"bio\":\"" + "x".repeat(161) + "\"}"));
    Expect.blames(422, "handle", caller.patch("/v1/users/me", "{\"handle\":\"a-b\"}"));
    Expect.blames(400, "created_at", caller.patch("/v1/users/me", "{\"created_at\":\"x\"}"));
  }

  @Test
  void routes_withoutToken_areRejected() {
    Api anonymous = server.anonymous();

    Expect.problem(401, "unauthenticated", anonymous.get("/v1/users/bob"));
    Expect.problem(401, "unauthenticated", anonymous.get("/v1/users/by-handle/bob"));
    Expect.problem(401, "unauthenticated", anonymous.post("/v1/users", "{}"));
    Expect.problem(401, "unauthenticated", anonymous.patch("/v1/users/me", "{}"));
    assertThat(anonymous.get("/v1/users/bob").header("X-Consumed-Read-Units")).isEmpty();
  }
}
