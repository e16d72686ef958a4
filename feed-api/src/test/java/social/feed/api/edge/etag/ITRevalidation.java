package social.feed.api.edge.etag;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.table.row.Post;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** Answers that are not sent again. */
@ExtendWith(FeedServerExtension.class)
class ITRevalidation {
  private final Person ann;
  private final Person bob;
  private final Post post;
  private final Api asAnn;
  private final Api asBob;

  ITRevalidation(FeedServer server, SeedWorld world) {
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.post = bob.posts("x");
    this.asAnn = server.as(ann);
    this.asBob = server.as(bob);
  }

  private List<String> paths() {
    return List.of(
        "/v1/posts/" + post.postId(),
        "/v1/users/" + bob.id(),
        "/v1/users/by-handle/" + bob.account().handle(),
        "/v1/users/me");
  }

  private static String tag(Answer answer) {
    return answer.header("ETag").orElseThrow();
  }

  @Test
  void answer_thatTheClientHas_isNotSentAgain() {
    for (String path : paths()) {
      Answer first = Expect.status(200, asAnn.get(path));
      assertThat(tag(first)).matches("W/\"[0-9a-f]{32}\"");
      assertThat(first.header("Content-Type")).hasValue("application/json");
      assertThat(first.header("Cache-Control")).hasValue("private, no-cache");

      Answer again = Expect.status(304, asAnn.with("If-None-Match", tag(first)).get(path));

      assertThat(again.text()).isEmpty();
      assertThat(again.header("Content-Type")).isEmpty();
      assertThat(again.header("Content-Length")).as("of the whole, if any").isEmpty();
      assertThat(again.header("ETag")).isEqualTo(first.header("ETag"));
      assertThat(again.header("Cache-Control")).hasValue("private, no-cache");
      assertThat(again.header("X-Consumed-Read-Units"))
          .isEqualTo(first.header("X-Consumed-Read-Units"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "%s", "W/\"0\", %s", "\"0\",%s , \"1\""})
  void tag_inAnyList_isFound(String list) {
    String path = paths().getFirst();

    Expect.status(304, asAnn.with("If-None-Match", list.formatted(tag(asAnn.get(path)))).get(path));
  }

  @Test
  void tag_spelledStrong_isFound() {
    String path = paths().getFirst();

    Expect.status(304, asAnn.with("If-None-Match", tag(asAnn.get(path)).substring(2)).get(path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "\"\"", "W/", "W/\"00000000000000000000000000000000\"", ",,,"})
  void tag_ofSomethingElse_isSent(String other) {
    assertThat(
            Expect.status(200, asAnn.with("If-None-Match", other).get(paths().getFirst())).text())
        .contains(post.postId());
  }

  @Test
  void tag_ofAPost_changesWithTheLikeAndIsTheCallersOwn() {
    String path = "/v1/posts/" + post.postId();
    String before = tag(asAnn.get(path));
    assertThat(tag(asBob.get(path))).as("without a like").isEqualTo(before);

    asAnn.post(path + "/like");

    Answer liked = Expect.status(200, asAnn.with("If-None-Match", before).get(path));
    assertThat(liked.at("viewer", "liked")).isEqualTo("true");
    Expect.status(304, asBob.with("If-None-Match", before).get(path));
    Expect.status(200, asBob.with("If-None-Match", tag(liked)).get(path));
  }

  @Test
  void tag_ofAProfile_changesWithIt() {
    String path = "/v1/users/" + bob.id();
    String before = tag(asAnn.get(path));

    asBob.patch("/v1/users/me", "{\"bio\":\"new\"}");

    assertThat(Expect.status(200, asAnn.with("If-None-Match", before).get(path)).at("bio"))
        .isEqualTo("new");
  }

  @Test
  void head_hasTheTagOfGet() {
    String path = paths().getFirst();
    String tag = tag(asAnn.get(path));

    Answer head = Expect.status(200, asAnn.send("HEAD", path, null));

    assertThat(tag(head)).isEqualTo(tag);
    Expect.status(304, asAnn.with("If-None-Match", tag).send("HEAD", path, null));
  }

  @Test
  void problem_hasNoTag() {
    Answer missing = asAnn.with("If-None-Match", "*").get("/v1/posts/nothing");

    Expect.problem(404, "not_found", missing);
    assertThat(missing.header("ETag")).isEmpty();
    assertThat(missing.header("Cache-Control")).hasValue("no-store");
  }
}
