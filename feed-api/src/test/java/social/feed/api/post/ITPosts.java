package social.feed.api.post;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.cost.Bill;

@ExtendWith(FeedServerExtension.class)
class ITPosts {
  private static final String UNKNOWN = "01890a5d-ac96-774b-bcce-b302099a8057";

  private final FeedServer server;
  private final SeedWorld world;
  private final Person ann;
  private final Person bob;
  private final Api caller;

  ITPosts(FeedServer server, SeedWorld world) {
    this.server = server;
    this.world = world;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.caller = server.as(ann);
  }

  private static String json(String text) {
    return "{\"text\":\"" + text + "\"}";
  }

  private static String path(Post post) {
    return "/v1/posts/" + post.postId();
  }

  @Test
  void create_withEverything_answersThePost() {
    String handle = bob.account().handle();

    Answer answer =
        Expect.status(
            201,
            caller.post(
                "/v1/posts",
                "{\"text\":\"Hi @"
                    + handle
                    + " @no_such_account #Java #ＪＡＶＡ\\n#größe\",\"visibility\":\"followers\",\"media_ref\":\"img/1.png\"}"));

    assertThat(answer.header("Location")).hasValue("/v1/posts/" + answer.at("id"));
    assertThat(answer.at("author", "id")).isEqualTo(ann.id());
    assertThat(answer.at("author", "handle")).isEqualTo(ann.account().handle());
    assertThat(answer.at("author", "display_name")).isEqualTo("ann");
    assertThat(answer.json().get("tags").get(0).getStringValue()).isEqualTo("java");
    assertThat(answer.json().get("tags").get(1).getStringValue()).isEqualTo("größe");
    assertThat(answer.json().get("tags").size()).isEqualTo(2);
    assertThat(answer.json().get("mentions").size()).isEqualTo(1);
    assertThat(answer.json().get("mentions").get(0).get("id").getStringValue()).isEqualTo(bob.id());
    assertThat(answer.json().get("mentions").get(0).get("handle").getStringValue())
        .isEqualTo(handle);
    assertThat(answer.at("visibility")).isEqualTo("followers");
    assertThat(answer.at("media_ref")).isEqualTo("img/1.png");
    assertThat(answer.at("likes_count")).isEqualTo("0");
    assertThat(answer.at("comments_count")).isEqualTo("0");
    assertThat(answer.at("viewer", "liked")).isEqualTo("false");
    assertThat(answer.header("X-Consumed-Write-Units")).hasValue("2");
    assertThat(caller.get("/v1/posts/" + answer.at("id")).text()).isEqualTo(answer.text());
  }

  @Test
  void create_withTextOnly_isPublicWithoutOptionalFields() {
    Answer answer = Expect.status(201, caller.post("/v1/posts", json("Hi")));

    assertThat(answer.at("visibility")).isEqualTo("public");
    assertThat(answer.json().get("media_ref")).isNull();
    assertThat(answer.text()).contains("\"tags\":[]", "\"mentions\":[]");
  }

  @Test
  void create_textOf500CodePoints_isAcceptedAndNotTrimmed() {
    String text = "  " + "😀".repeat(498);

    assertThat(Expect.status(201, caller.post("/v1/posts", json(text))).at("text")).isEqualTo(text);
    Expect.blames(422, "text", caller.post("/v1/posts", json(text + "x")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   ", "\\n", "\\u0000", "a\\tb", "\\ud800", "a\\udfffb", "\\u200b"})
  void create_invalidText_isRejected(String text) {
    Expect.blames(422, "text", caller.post("/v1/posts", json(text)));
  }

  @Test
  void create_withTooManyTagsOrAccounts_isRejected() {
    String tags = IntStream.range(0, 11).mapToObj(i -> "#t" + i).collect(Collectors.joining(" "));
    String handles =
        IntStream.range(0, 11).mapToObj(i -> "@abc" + i).collect(Collectors.joining(" "));

    Expect.blames(422, "text", caller.post("/v1/posts", json(tags)));
    Expect.blames(422, "text", caller.post("/v1/posts", json(handles)));
    Expect.status(201, caller.post("/v1/posts", json(tags.replace(" #t10", ""))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | text",
        "{\"text\":null} | text",
        "{\"text\":5} | text",
        "{\"text\":\"a\",\"visibility\":\"friends\"} | visibility",
        "{\"text\":\"a\",\"visibility\":\"PUBLIC\"} | visibility",
        "{\"text\":\"a\",\"author_id\":\"bob\"} | author_id",
        "{\"text\":\"a\",\"media_ref\":[]} | media_ref"
      })
  void create_withWrongShape_isMalformed(String body, String field) {
    Expect.blames(400, field, caller.post("/v1/posts", body));
  }

  @Test
  void create_withInvalidMediaRef_isRejected() {
    String ref = "x".repeat(512);

    Expect.status(201, caller.post("/v1/posts", "{\"text\":\"a\",\"media_ref\":\"" + ref + "\"}"));
    Expect.blames(
        422,
        "media_ref",
        caller.post("/v1/posts", "{\"text\":\"a\",\"media_ref\":\"x" + ref + "\"}"));
    Expect.blames(
        422, "media_ref", caller.post("/v1/posts", "{\"text\":\"a\",\"media_ref\":\"\"}"));
  }

  @Test
  void create_withoutProfile_isAConflict() {
    Expect.problem(409, "not_registered", server.as("stranger").post("/v1/posts", json("Hi")));
    Expect.problem(401, "unauthenticated", server.anonymous().post("/v1/posts", json("Hi")));
  }

  @ParameterizedTest
  @EnumSource(Visibility.class)
  void get_byAuthor_showsIt(Visibility visibility) {
    Post post = ann.posts("mine", visibility);

    assertThat(Expect.status(200, caller.get(path(post))).at("text")).isEqualTo("mine");
  }

  @Test
  void get_byOthers_dependsOnVisibilityAndEdge() {
    Post forAll = bob.posts("all", Visibility.PUBLIC);
    Post forFollowers = bob.posts("followers", Visibility.FOLLOWERS);
    Post isPrivate = bob.posts("unknown", Visibility.PRIVATE);

    Expect.status(200, caller.get(path(forAll)));
    Expect.problem(404, "not_found", caller.get(path(forFollowers)));
    ann.follows(bob);
    Expect.status(200, caller.get(path(forFollowers)));
    Expect.problem(404, "not_found", caller.get(path(isPrivate)));
    ann.unfollows(bob);
    Expect.problem(404, "not_found", caller.get(path(forFollowers)));
    bob.follows(ann);
    Expect.problem(404, "not_found", caller.get(path(forFollowers)));
  }

  @Test
  void get_invisible_answersAsForUnknown() {
    Post hidden = bob.posts("unknown", Visibility.PRIVATE);

    Answer invisible = caller.get(path(hidden));
    Answer unknown = caller.get("/v1/posts/" + UNKNOWN);

    assertThat(invisible.text().replaceAll("urn:uuid:[0-9a-f-]+", ""))
        .isEqualTo(unknown.text().replaceAll("urn:uuid:[0-9a-f-]+", ""));
  }

  @Test
  void get_likedPost_isLiked() {
    Post post = bob.posts("x");
    ann.likes(post);

    assertThat(caller.get(path(post)).at("viewer", "liked")).isEqualTo("true");
    assertThat(server.as(bob).get(path(post)).at("viewer", "liked")).isEqualTo("false");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"x", "01890a5d-ac96-774b-bcce-b302099a8057", "ZZZZZZZZZZZZZZZZZZZZZZZZZZ"})
  void get_idOfNoPost_isMissing(String id) {
    Expect.problem(404, "not_found", caller.get("/v1/posts/" + id));
    Expect.problem(404, "not_found", caller.delete("/v1/posts/" + id));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "01KAJPTR000000000000000001%23",
        "01KAJPTR000000000000000001%0A",
        "a.b",
        "%F0%9F%98%80",
        "12345678901234567890123456789012345678901234567890123456789012345"
      })
  void get_malformedId_isMalformed(String id) {
    Expect.blames(400, "id", caller.get("/v1/posts/" + id));
    Expect.blames(400, "id", caller.delete("/v1/posts/" + id));
  }

  @Test
  void delete_ownPost_removesItOnce() {
    Post post = ann.posts("gone");

    Expect.status(204, caller.delete(path(post)));

    Expect.problem(404, "not_found", caller.get(path(post)));
    Expect.problem(404, "not_found", caller.delete(path(post)));
  }

  @Test
  void delete_postOfAnother_isMissingAndChangesNothing() {
    Post post = bob.posts("stays");

    Expect.problem(404, "not_found", caller.delete(path(post)));

    Expect.status(200, caller.get(path(post)));
    Expect.problem(401, "unauthenticated", server.anonymous().delete(path(post)));
    Expect.problem(409, "not_registered", server.as("stranger").delete(path(post)));
  }

  @Test
  void author_renamed_appearsWithTheNewName() {
    Post post = ann.posts("x");
    caller.patch("/v1/users/me", "{\"display_name\":\"Anna\"}");

    assertThat(caller.get(path(post)).at("author", "display_name")).isEqualTo("Anna");
    assertThat(
            caller
                .get("/v1/users/" + ann.id() + "/posts")
                .json()
                .get("items")
                .get(0)
                .get("author")
                .get("display_name")
                .getStringValue())
        .isEqualTo("Anna");
  }

  @Test
  void answer_forUtf8_keepsIt() {
    List<String> texts = List.of("日本語", "👩‍👩‍👧", "a\u0301", "'\"\\\\<script>");
    for (String text : texts) {
      Answer answer = caller.post("/v1/posts", json(text.replace("\"", "\\\"")));

      assertThat(answer.at("text")).isEqualTo(text.replace("\\\\", "\\"));
    }
  }

  @Test
  void change_visibility_isAnsweredAndApplied_andARepeatChangesNothing() {
    Post post = ann.posts("x");
    Api other = server.as(bob);
    Expect.status(200, other.get(path(post)));

    Answer hidden;
    try (Bill _ = server.table().bill()) {
      hidden = Expect.status(200, caller.patch(path(post), "{\"visibility\":\"private\"}"));
    }

    assertThat(hidden.at("visibility")).isEqualTo("private");
    // The caller, the post and the absent like.
    assertThat(hidden.header("X-Consumed-Read-Units")).hasValue("2.5");
    assertThat(hidden.header("X-Consumed-Write-Units")).hasValue("2");
    Expect.problem(404, "not_found", other.get(path(post)));
    assertThat(other.get("/v1/users/" + ann.id() + "/posts").text()).isEqualTo("{\"items\":[]}");
    Answer repeated = Expect.status(200, caller.patch(path(post), "{\"visibility\":\"private\"}"));
    assertThat(repeated.json()).isEqualTo(hidden.json());
    assertThat(repeated.header("X-Consumed-Write-Units")).hasValue("0");
    Expect.status(200, caller.patch(path(post), "{\"visibility\":\"followers\"}"));
    Expect.problem(404, "not_found", other.get(path(post)));
    bob.follows(ann);
    Expect.status(200, other.get(path(post)));
    Expect.status(200, caller.patch(path(post), "{\"visibility\":\"public\"}"));
    Expect.status(200, server.as("stranger").get(path(post)));
  }

  @Test
  void change_ofPostOfAnotherOrToNothing_isRejected() {
    Post post = bob.posts("x");
    String followers = "{\"visibility\":\"followers\"}";

    Expect.problem(404, "not_found", caller.patch(path(post), followers));
    Expect.problem(404, "not_found", caller.patch("/v1/posts/" + UNKNOWN, followers));
    Expect.problem(409, "not_registered", server.as("unknown").patch(path(post), followers));
    for (String body : List.of("{}", "{\"visibility\":null}", "{\"visibility\":\"all\"}", "")) {
      assertThat(caller.patch(path(post), body).status()).as(body).isIn(400, 422);
    }
    assertThat(Expect.status(200, server.as(bob).get(path(post))).at("visibility"))
        .isEqualTo("public");
  }
}
