package social.feed.api.media;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.table.row.Media;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** Avatars and banners: who may set them, who gets their addresses, and what they cost. */
@ExtendWith(FeedServerExtension.class)
class ITProfilePictures {
  private static final String ME = "/v1/users/me";

  private final FeedServer server;
  private final SeedWorld world;
  private final Person ann;
  private final Person bob;
  private final Api caller;
  private final UploadedFiles files;

  ITProfilePictures(FeedServer server, SeedWorld world) {
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

  private Answer changes(String json) {
    return caller.patch(ME, json);
  }

  private Answer shows(String picture, String mediaId) {
    return changes("{\"%s\":\"%s\"}".formatted(picture, mediaId));
  }

  private boolean exists(String mediaId) {
    return server.table().table().get(Media.key(mediaId)).isPresent();
  }

  private static String address(String mediaId, String size) {
    return "/media/files/" + mediaId + "/" + size + ".png?signature=";
  }

  @Test
  void pictures_areInEveryAnswerAboutTheAccount() {
    String avatar = file();
    String banner = file();

    Answer changed = Expect.status(200, shows("avatar", avatar));
    Expect.status(200, shows("banner", banner));

    var shown = changed.json().get("avatar");
    assertThat(shown.get("id").getStringValue()).isEqualTo(avatar);
    assertThat(shown.get("content_type").getStringValue()).isEqualTo("image/png");
    assertThat(shown.get("alt").getStringValue()).isEqualTo("A cat");
    assertThat(shown.get("bytes").getIntValue()).isEqualTo(9);
    assertThat(shown.get("width").getIntValue()).isEqualTo(640);
    assertThat(shown.get("height").getIntValue()).isEqualTo(480);
    assertThat(shown.get("files").get("small").getStringValue())
        .startsWith(address(avatar, "small"));
    assertThat(changed.text()).doesNotContain("banner");
    for (Api reader : List.of(caller, server.as(bob))) {
      assertThat(reader.get("/v1/users/" + ann.id()).text())
          .contains(address(avatar, "medium"), address(banner, "original"));
    }
    assertThat(caller.get(ME).text()).contains(address(avatar, "small"), address(banner, "small"));
    assertThat(caller.get("/v1/media/" + avatar).at("shown_as")).isEqualTo("avatar");
    assertThat(caller.get("/v1/media/" + banner).at("shown_as")).isEqualTo("banner");

    bob.follows(ann);
    String postId = Expect.status(201, caller.post("/v1/posts", "{\"text\":\"x\"}")).at("id");
    Expect.status(201, caller.post("/v1/posts/" + postId + "/comments", "{\"text\":\"x\"}"));
    for (String path :
        List.of(
            "/v1/posts/" + postId,
            "/v1/posts/" + postId + "/comments",
            "/v1/users/" + ann.id() + "/posts",
            "/v1/users/" + bob.id() + "/following")) {
      assertThat(Expect.status(200, server.as(bob).get(path)).text())
          .contains(address(avatar, "small"))
          .doesNotContain(banner);
    }
  }

  /** The list of mutes has a shape of its own. */
  @Test
  void avatar_isInTheListOfMutes() {
    String avatar = file();
    Expect.status(200, shows("avatar", avatar));
    bob.mutes(ann);

    assertThat(server.as(bob).get("/v1/users/me/mutes").text()).contains(address(avatar, "small"));
  }

  @Test
  void absentField_staysAndNull_removes() {
    String avatar = file();
    String banner = file();
    Expect.status(200, changes("{\"avatar\":\"%s\",\"banner\":\"%s\"}".formatted(avatar, banner)));

    assertThat(Expect.status(200, changes("{\"bio\":\"x\"}")).text()).contains(avatar, banner);
    Answer without = Expect.status(200, changes("{\"avatar\":null,\"bio\":null}"));

    assertThat(without.text()).doesNotContain("avatar", avatar).contains(banner, "\"bio\":\"x\"");
    assertThat(exists(avatar)).isFalse();
    assertThat(exists(banner)).isTrue();
    assertThat(Expect.status(200, changes("{\"avatar\":null}")).text()).contains(banner);
    assertThat(Expect.status(200, changes("{\"banner\":null}")).text()).doesNotContain("banner");
    assertThat(exists(banner)).isFalse();
  }

  @Test
  void secondChange_deletesTheFirstFile_andARepeatChangesNothing() {
    String first = file();
    String second = file();
    Expect.status(200, shows("avatar", first));

    Answer changed = Expect.status(200, shows("avatar", second));
    Answer repeat = Expect.status(200, shows("avatar", second));

    assertThat(repeat.json().get("avatar").get("id"))
        .isEqualTo(changed.json().get("avatar").get("id"));
    assertThat(repeat.header("X-Consumed-Write-Units").orElse("0")).isEqualTo("0");
    assertThat(exists(first)).isFalse();
    assertThat(exists(second)).isTrue();
    Expect.problem(422, "media_not_usable", shows("avatar", first));
  }

  @Test
  void fileThatCannotBeShown_isRefused() {
    String avatar = file();
    String ofPost = file();
    Expect.status(200, shows("avatar", avatar));
    Expect.status(
        201, caller.post("/v1/posts", "{\"text\":\"x\",\"media\":[\"%s\"]}".formatted(ofPost)));

    for (String id :
        List.of(
            avatar, ofPost, files.file(bob, null), files.file(ann, 4_000_000_000L), "01absent")) {
      Expect.problem(422, "media_not_usable", shows("banner", id));
    }
    Expect.problem(
        422,
        "media_not_usable",
        caller.post("/v1/posts", "{\"text\":\"x\",\"media\":[\"%s\"]}".formatted(avatar)));
    Expect.problem(409, "media_in_use", caller.delete("/v1/media/" + avatar));
    assertThat(caller.get(ME).text()).contains(address(avatar, "small")).doesNotContain("banner");
    Expect.problem(409, "not_registered", server.as("newcomer").patch(ME, "{\"avatar\":\"x\"}"));
  }

  @Test
  void wrongInput_isRefused() {
    String one = file();
    for (String json :
        List.of(
            "{\"avatar\":5}",
            "{\"avatar\":\"\"}",
            "{\"avatar\":\"no id\"}",
            "{\"avatar\":[\"x\"]}",
            "{\"avatar\":{\"media_id\":\"x\"}}",
            "{\"banner\":true}",
            "{\"avatar\":\"%s\"}".formatted("x".repeat(200)),
            "{\"avatar\":\"%1$s\",\"banner\":\"%1$s\"}".formatted(one))) {
      Expect.problem(400, "invalid_request", changes(json));
    }
    Expect.status(200, shows("banner", one));
  }

  @Test
  void changesAtOnce_withTwoFiles_leaveOne() {
    List<String> ids = Stream.generate(this::file).limit(2).toList();

    List<Integer> statuses = ids.parallelStream().map(id -> shows("avatar", id).status()).toList();

    assertThat(statuses).containsOnly(200);
    String left = caller.get(ME).json().get("avatar").get("id").getStringValue();
    assertThat(ids).filteredOn(this::exists).containsExactly(left);
  }

  /** An account that the caller may not see shows no picture. */
  @Test
  void hiddenAccount_showsNoAddress() {
    String avatar = file();
    Expect.status(200, shows("avatar", avatar));
    ann.posts("x");
    Api other = server.as(bob);
    String pages = pagesOf(other);
    assertThat(pages).contains(address(avatar, "small"));

    ann.blocks(bob);
    assertThat(pagesOf(other)).doesNotContain(avatar);
  }

  @Test
  void erasedAccount_showsNothing() {
    String avatar = file();
    Expect.status(200, shows("avatar", avatar));

    Expect.status(202, caller.delete(ME));

    Expect.problem(404, "not_found", server.as(bob).get("/v1/users/" + ann.id()));
    Expect.problem(409, "account_erased", shows("avatar", file()));
    assertThat(world.users.get(ann.id())).isEmpty();
  }

  @Test
  void export_namesThePictures() {
    String avatar = file();
    String banner = file();
    Expect.status(200, shows("avatar", avatar));
    Expect.status(200, shows("banner", banner));

    assertThat(caller.get("/v1/users/me/export").text())
        .contains(
            "\"avatar\":\"" + avatar + "\"",
            "\"banner\":\"" + banner + "\"",
            "\"shown_as\":\"banner\"");
  }

  /** No answer reads more than without pictures. */
  @Test
  void readingAnAccount_costsTheSame() {
    String path = "/v1/users/" + ann.id();
    ann.posts("x");
    List<String> before = costs(path);

    Expect.status(200, shows("avatar", file()));
    Expect.status(200, shows("banner", file()));

    assertThat(costs(path)).isEqualTo(before);
  }

  private List<String> costs(String path) {
    return Stream.of(path, path + "/posts")
        .map(each -> server.as(bob).get(each).header("X-Consumed-Read-Units").orElseThrow())
        .toList();
  }

  private String pagesOf(Api reader) {
    return reader.get("/v1/users/" + ann.id()).text()
        + reader.get("/v1/users/" + ann.id() + "/posts").text();
  }
}
