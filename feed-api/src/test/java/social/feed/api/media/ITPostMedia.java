package social.feed.api.media;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** Posts with images: who may write them, who gets their addresses, and what they cost. */
@ExtendWith(FeedServerExtension.class)
class ITPostMedia {

  private final FeedServer server;
  private final SeedWorld world;
  private final Person ann;
  private final Person bob;
  private final Api caller;
  private final UploadedFiles files;

  ITPostMedia(FeedServer server, SeedWorld world) {
    this.server = server;
    this.world = world;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.caller = server.as(ann);
    this.files = new UploadedFiles(server);
  }

  private String file() {
    return files.file(ann, null);
  }

  private static String json(String visibility, String... mediaIds) {
    return "{\"text\":\"x\",\"visibility\":\"%s\",\"media\":[%s]}"
        .formatted(
            visibility,
            Stream.of(mediaIds).map(id -> '"' + id + '"').collect(Collectors.joining(",")));
  }

  private Answer posts(String visibility, String... mediaIds) {
    return caller.post("/v1/posts", json(visibility, mediaIds));
  }

  @Test
  void post_withFiles_showsThemInTheirOrder() {
    String one = file();
    String two = file();

    Answer post = Expect.status(201, posts("public", two, one));

    var shown = post.json().get("media");
    assertThat(shown.size()).isEqualTo(2);
    assertThat(shown.get(0).get("id").getStringValue()).isEqualTo(two);
    assertThat(shown.get(1).get("id").getStringValue()).isEqualTo(one);
    assertThat(shown.get(0).get("content_type").getStringValue()).isEqualTo("image/png");
    assertThat(shown.get(0).get("alt").getStringValue()).isEqualTo("A cat");
    assertThat(shown.get(0).get("bytes").getIntValue()).isEqualTo(9);
    assertThat(shown.get(0).get("width").getIntValue()).isEqualTo(640);
    assertThat(shown.get(0).get("height").getIntValue()).isEqualTo(480);
    assertThat(shown.get(0).get("files").get("small").getStringValue())
        .startsWith("/media/files/" + two + "/small.png?signature=");
    assertThat(server.as(bob).get("/v1/posts/" + post.at("id")).text())
        .contains("/media/files/" + one + "/original.png?signature=");
    assertThat(server.as(bob).get("/v1/users/" + ann.id() + "/posts").text())
        .contains("/media/files/" + two + "/medium.png?signature=");
    assertThat(caller.get("/v1/media/" + one).at("post_id")).isEqualTo(post.at("id"));
  }

  @Test
  void post_withoutFiles_isAsBefore() {
    assertThat(Expect.status(201, posts("public")).text()).doesNotContain("media");
    Answer none = caller.post("/v1/posts", "{\"text\":\"x\",\"media\":null}");
    assertThat(Expect.status(201, none).text()).doesNotContain("media");
  }

  /**
   * The local engine does not report all of a transaction; {@code ITWriteCost} counts its units.
   */
  @Test
  void post_withFiles_costsWhatItsFilesAdd() {
    Answer plain = posts("public");
    assertThat(plain.header("X-Consumed-Read-Units")).hasValue("1");
    assertThat(plain.header("X-Consumed-Write-Units")).hasValue("2");
    Answer four = Expect.status(201, posts("public", file(), file(), file(), file()));
    assertThat(four.header("X-Consumed-Read-Units")).hasValue("5");
    String id = Expect.status(201, posts("public", file(), file())).at("id");
    // Post, author, and whether the caller likes it.
    assertThat(server.as(bob).get("/v1/posts/" + id).header("X-Consumed-Read-Units"))
        .isEqualTo(
            server
                .as(bob)
                .get("/v1/posts/" + Expect.status(201, posts("public")).at("id"))
                .header("X-Consumed-Read-Units"));
  }

  @Test
  void post_withAFileThatItCannotShow_isRefused() {
    String shown = file();
    Expect.status(201, posts("public", shown));
    String free = file();

    for (String id :
        List.of(files.file(bob, null), files.file(ann, 4_000_000_000L), shown, "01absent")) {
      Expect.problem(422, "media_not_usable", posts("public", free, id));
    }
    Expect.problem(400, "invalid_request", posts("public", free, free));
    Expect.problem(400, "invalid_request", posts("public", "no id"));
    for (String none : List.of("[null]", "[1]", "[[\"" + free + "\"]]", "\"" + free + "\"")) {
      String body = "{\"text\":\"x\",\"media\":%s}".formatted(none);
      Expect.problem(400, "invalid_request", caller.post("/v1/posts", body));
    }
    Expect.problem(400, "invalid_request", posts("public", free, file(), file(), file(), file()));
    Expect.status(201, posts("public", free));
  }

  @Test
  void post_repeatedWithAKey_isWrittenOnce() {
    Api keyed = caller.with("Idempotency-Key", "media");
    String json = json("public", file(), file());

    Answer first = Expect.status(201, keyed.post("/v1/posts", json));
    Answer repeat = keyed.post("/v1/posts", json);

    assertThat(repeat.text()).isEqualTo(first.text());
    assertThat(first.json().get("media").size()).isEqualTo(2);
  }

  @Test
  void postsAtOnce_withOneFile_areOne() {
    String id = file();

    List<Integer> statuses =
        Stream.generate(() -> json("public", id))
            .limit(6)
            .parallel()
            .map(json -> caller.post("/v1/posts", json).status())
            .toList();

    assertThat(statuses).containsOnlyOnce(201).isSubsetOf(201, 422);
  }

  /** A caller who may not see a post gets no address of its images. */
  @Test
  void hiddenPost_showsNoAddress() {
    String forFollowers = Expect.status(201, posts("followers", file())).at("id");
    String mine = Expect.status(201, posts("private", file())).at("id");
    String open = Expect.status(201, posts("public", file())).at("id");
    Api other = server.as(bob);
    assertThat(pagesOf(other, open)).contains("/media/files/");
    assertThat(pagesOf(other, forFollowers)).doesNotContain(addressOf(forFollowers));
    assertThat(pagesOf(other, mine)).doesNotContain(addressOf(mine));

    bob.follows(ann);
    assertThat(pagesOf(other, forFollowers)).contains(addressOf(forFollowers));
    assertThat(pagesOf(other, mine)).doesNotContain(addressOf(mine));

    ann.blocks(bob);
    assertThat(pagesOf(other, open)).doesNotContain("/media/files/");
    assertThat(server.as(ann).get("/v1/posts/" + mine).text()).contains(addressOf(mine));
  }

  /** The entry in the feed still exists. */
  @Test
  void postForFollowers_afterAnUnfollow_showsNoAddress() {
    String id = Expect.status(201, posts("followers", file())).at("id");
    Post post = Objects.requireNonNull(world.posts.getAll(List.of(id), true).get(id));
    world.feeds.deliver(List.of(FeedEntry.of(post.ref(), bob.id())));
    String follow = "/v1/users/" + ann.id() + "/follow";
    Api reader = server.as(bob);
    String address = addressOf(id);
    Expect.status(204, reader.post(follow));
    assertThat(pagesOf(reader, id)).contains(address);
    assertThat(reader.get("/v1/feed").text()).contains(address);

    Expect.status(204, reader.delete(follow));

    assertThat(pagesOf(reader, id)).doesNotContain(address);
    assertThat(Expect.status(200, reader.get("/v1/feed")).text()).doesNotContain(address);
  }

  @Test
  void export_namesTheFilesOfAPost() {
    String id = file();
    String postId = Expect.status(201, posts("private", id)).at("id");

    assertThat(caller.get("/v1/users/me/export").text())
        .contains("\"media\":[\"" + id + "\"]", "\"post_id\":\"" + postId + "\"");
  }

  /** A mute hides posts from the home feed alone. */
  @Test
  void postOfAMutedAuthor_isNotInTheFeed() {
    String open = Expect.status(201, posts("public", file())).at("id");
    bob.follows(ann);
    Api reader = server.as(bob);
    reader.get("/v1/feed");
    bob.mutes(ann);

    assertThat(reader.get("/v1/feed").text()).doesNotContain("/media/files/");
    assertThat(reader.get("/v1/posts/" + open).text()).contains("/media/files/");
  }

  private String addressOf(String postId) {
    return "/media/files/"
        + caller.get("/v1/posts/" + postId).json().get("media").get(0).get("id").getStringValue();
  }

  private String pagesOf(Api reader, String postId) {
    return reader.get("/v1/posts/" + postId).text()
        + reader.get("/v1/users/" + ann.id() + "/posts").text();
  }
}
