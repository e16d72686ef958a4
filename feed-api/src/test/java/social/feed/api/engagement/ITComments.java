package social.feed.api.engagement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.Paged;
import social.feed.table.row.Comment;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

@ExtendWith(FeedServerExtension.class)
class ITComments {
  private static final String UNKNOWN = "01890a5d-ac96-774b-bcce-b302099a8057";

  private final FeedServer server;
  private final Person ann;
  private final Person bob;
  private final Person carol;
  private final Api caller;
  private final Post post;
  private final String path;

  ITComments(FeedServer server, SeedWorld world) {
    this.server = server;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.carol = world.user("carol");
    this.caller = server.as(ann);
    this.post = bob.posts("x");
    this.path = path(post);
  }

  private static String path(Post post) {
    return "/v1/posts/" + post.postId() + "/comments";
  }

  private static String json(String text) {
    return "{\"text\":\"" + text + "\"}";
  }

  @Test
  void create_answersTheComment() {
    Answer answer = Expect.status(201, caller.post(path, json("nice\\nöne")));

    assertThat(answer.at("text")).isEqualTo("nice\nöne");
    assertThat(answer.at("author", "id")).isEqualTo(ann.id());
    assertThat(answer.at("created_at")).endsWith("Z");
    assertThat(answer.json().size()).isEqualTo(4);
    assertThat(answer.header("Location")).hasValue(path + "/" + answer.at("id"));
    assertThat(caller.get(path).text()).isEqualTo("{\"items\":[" + answer.text() + "]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\\u0007", "\\udead"})
  void create_invalidText_isRejected(String text) {
    Expect.blames(422, "text", caller.post(path, json(text)));
  }

  @Test
  void create_wrongLengthOrShape_isRejected() {
    Expect.status(201, caller.post(path, json("x".repeat(500))));
    Expect.blames(422, "text", caller.post(path, json("x".repeat(501))));
    Expect.blames(400, "text", caller.post(path, "{}"));
    Expect.blames(400, "body", caller.post(path, ""));
    Expect.blames(400, "author", caller.post(path, "{\"text\":\"x\",\"author\":\"bob\"}"));
    Expect.blames(400, "id", caller.post("/v1/posts/x%23/comments", json("x")));
  }

  @Test
  void create_onInvisiblePost_isMissing() {
    Post hidden = bob.posts("x", Visibility.PRIVATE);
    bob.deletes(post);

    for (String there : List.of(path(hidden), path, "/v1/posts/" + UNKNOWN + "/comments")) {
      Expect.problem(404, "not_found", caller.post(there, json("x")));
      Expect.problem(404, "not_found", caller.get(there));
    }
  }

  @Test
  void create_withoutProfile_isAConflict() {
    Expect.problem(409, "not_registered", server.as("stranger").post(path, json("x")));
    Expect.problem(401, "unauthenticated", server.anonymous().post(path, json("x")));
    Expect.problem(401, "unauthenticated", server.anonymous().get(path));
  }

  @Test
  void list_isOldestFirstInPagesOfAnySize() {
    List<Comment> comments =
        IntStream.range(0, 6)
            .mapToObj(i -> (i % 2 == 0 ? ann : carol).comments(post, "" + i))
            .toList();
    Expect.status(204, caller.delete(path + "/" + comments.get(2).commentId()));
    List<String> expected =
        comments.stream()
            .map(Comment::commentId)
            .filter(id -> !id.equals(comments.get(2).commentId()))
            .toList();

    Paged.holds(caller, path, expected);
  }

  @Test
  void list_invalidParameters_areRejected() {
    ann.comments(post, "1");
    ann.comments(post, "2");

    Paged.rejectsInvalidParameters(caller, server.as(bob), path, path(bob.posts("y")), 200);
  }

  @Test
  void delete_byItsAuthorOrThePostsAuthor_removesItOnce() {
    String mine = path + "/" + ann.comments(post, "mine").commentId();
    String moderated = path + "/" + ann.comments(post, "moderated").commentId();

    Expect.status(204, caller.delete(mine));
    Expect.problem(404, "not_found", caller.delete(mine));
    Expect.status(204, server.as(bob).delete(moderated));
    assertThat(caller.get(path).text()).isEqualTo("{\"items\":[]}");
  }

  @Test
  void delete_byAnotherAccount_isMissingAndChangesNothing() {
    String there = path + "/" + ann.comments(post, "stays").commentId();

    Expect.problem(404, "not_found", server.as(carol).delete(there));
    Expect.problem(409, "not_registered", server.as("stranger").delete(there));
    Expect.problem(401, "unauthenticated", server.anonymous().delete(there));
    Expect.problem(
        404, "not_found", caller.delete(path(bob.posts("y")) + there.substring(path.length())));

    assertThat(Paged.ids(caller, path, 20)).hasSize(1);
  }

  @Test
  void delete_malformedOrUnknownId_isRejected() {
    Expect.blames(400, "comment_id", caller.delete(path + "/x%23"));
    Expect.problem(404, "not_found", caller.delete(path + "/" + UNKNOWN));
  }
}
