package social.feed.api.engagement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.Paged;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

@ExtendWith(FeedServerExtension.class)
class ITLikes {
  private static final String UNKNOWN = "01890a5d-ac96-774b-bcce-b302099a8057";

  private final FeedServer server;
  private final SeedWorld world;
  private final Person ann;
  private final Person bob;
  private final Api caller;
  private final Post post;

  ITLikes(FeedServer server, SeedWorld world) {
    this.server = server;
    this.world = world;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.caller = server.as(ann);
    this.post = bob.posts("x");
  }

  private static String like(String postId) {
    return "/v1/posts/" + postId + "/like";
  }

  @Test
  void like_repeated_answersTheSame() {
    Answer first = Expect.status(200, caller.post(like(post.postId())));
    Answer second = Expect.status(200, caller.post(like(post.postId())));

    assertThat(first.at("liked")).isEqualTo("true");
    assertThat(first.at("liked_at")).endsWith("Z");
    assertThat(second.text()).isEqualTo(first.text());
    assertThat(world.likes.likedBy(ann.id(), List.of(post.postId()))).isNotEmpty();
    assertThat(first.header("X-Consumed-Write-Units")).hasValue("3");
  }

  @Test
  void like_ofOwnPost_readsTheCallerOnce() {
    Answer liked = Expect.status(200, caller.post(like(ann.posts("own").postId())));

    assertThat(liked.header("X-Consumed-Read-Units")).hasValue("2");
  }

  @Test
  void unlike_repeated_succeeds() {
    ann.likes(post);

    Expect.status(204, caller.delete(like(post.postId())));
    Expect.status(204, caller.delete(like(post.postId())));

    assertThat(world.likes.likedBy(ann.id(), List.of(post.postId()))).isEmpty();
  }

  @Test
  void like_invisiblePost_isMissing() {
    Post hidden = bob.posts("x", Visibility.FOLLOWERS);

    Expect.problem(404, "not_found", caller.post(like(hidden.postId())));
    Expect.problem(404, "not_found", caller.delete(like(hidden.postId())));
    Expect.problem(404, "not_found", caller.get(like(hidden.postId()) + "s"));
    ann.follows(bob);
    Expect.status(200, caller.post(like(hidden.postId())));
    Expect.status(200, caller.get(like(hidden.postId()) + "s"));
  }

  @Test
  void like_deletedOrUnknownPost_isMissing() {
    bob.deletes(post);

    for (String id : List.of(post.postId(), UNKNOWN)) {
      Expect.problem(404, "not_found", caller.post(like(id)));
      Expect.problem(404, "not_found", caller.delete(like(id)));
      Expect.problem(404, "not_found", caller.get(like(id) + "s"));
    }
    Expect.blames(400, "id", caller.post(like("x%23")));
  }

  @Test
  void like_withoutProfile_isAConflict() {
    Api stranger = server.as("stranger");

    Expect.problem(409, "not_registered", stranger.post(like(post.postId())));
    Expect.problem(409, "not_registered", stranger.delete(like(post.postId())));
    Expect.problem(401, "unauthenticated", server.anonymous().post(like(post.postId())));
  }

  @Test
  void list_isNewestFirstInPagesOfAnySize() {
    List<Person> fans = IntStream.range(0, 6).mapToObj(i -> world.user("fan" + i)).toList();
    fans.forEach(fan -> fan.likes(post));
    fans.get(3).unlikes(post);
    List<String> expected =
        fans.reversed().stream().filter(fan -> fan != fans.get(3)).map(Person::id).toList();

    Paged.holds(caller, like(post.postId()) + "s", expected);
    assertThat(caller.get(like(post.postId()) + "s?limit=1").text())
        .startsWith(
            "{\"items\":[{\"id\":\""
                + fans.get(5).id()
                + "\",\"handle\":\""
                + fans.get(5).account().handle()
                + "\",\"display_name\":\"fan5\"}]");
  }

  @Test
  void list_invalidParameters_areRejected() {
    ann.likes(post);
    bob.likes(post);
    Post other = bob.posts("y");

    Paged.rejectsInvalidParameters(
        caller, server.as(bob), like(post.postId()) + "s", like(other.postId()) + "s", 200);
  }
}
