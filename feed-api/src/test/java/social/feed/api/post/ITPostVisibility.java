package social.feed.api.post;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.Paged;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/**
 * Every route that shows a post, or its likes and comments, for readers who may and who may not
 * read it. The stream does not run here: feeds and tag lists contain the post as if it were public,
 * so each route must check the post itself.
 */
@ExtendWith(FeedServerExtension.class)
class ITPostVisibility {
  private static final String READ_UNITS = "X-Consumed-Read-Units";

  private final FeedServer server;
  private final SeedWorld world;
  private final Person ann;
  private final Person bob;
  private final Person carol;
  private final String tag;

  ITPostVisibility(FeedServer server, SeedWorld world) {
    this.server = server;
    this.world = world;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.carol = world.user("carol");
    this.tag = "of_" + bob.id().replace("-", "_");
  }

  /** The reader's relation to the author. */
  private enum Reader {
    AUTHOR,
    FOLLOWER,
    /** Unfollowed the author and kept the posts. */
    FORMER_FOLLOWER,
    STRANGER;

    boolean mayRead(Visibility visibility) {
      return visibility.allows(this == AUTHOR, this == FOLLOWER);
    }

    boolean hasInFeed(Visibility visibility) {
      return this != STRANGER && mayRead(visibility);
    }
  }

  static Stream<Arguments> cases() {
    return Stream.of(Reader.values())
        .flatMap(
            reader ->
                Stream.of(
                    Arguments.of(Visibility.PUBLIC, Visibility.FOLLOWERS, reader),
                    Arguments.of(Visibility.FOLLOWERS, Visibility.PRIVATE, reader),
                    Arguments.of(Visibility.PRIVATE, Visibility.PUBLIC, reader)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void post_beforeAndAfterAChange_isVisibleOnEachPathToAllowedReaders(
      Visibility written, Visibility changed, Reader reader) {
    Post post = written(written, reader);
    assertShown(post, written, reader);

    Expect.status(
        200,
        server
            .as(bob)
            .patch(
                "/v1/posts/" + post.postId(),
                "{\"visibility\":\"" + changed.name().toLowerCase(Locale.ROOT) + "\"}"));

    assertShown(post, changed, reader);
    assertAcceptsLikesAndComments(post, changed, reader);
  }

  /** A hidden post takes more reads than a missing one, so the cost must be hidden. */
  @Test
  void invisiblePost_answersLikeAMissingOne() {
    Post gone = bob.posts("gone");
    bob.deletes(gone);
    Post ofBlocker = carol.posts("of a blocker");
    carol.blocks(ann);
    List<Post> hidden =
        List.of(
            gone,
            ofBlocker,
            bob.posts("private", Visibility.PRIVATE),
            bob.posts("followers", Visibility.FOLLOWERS));
    for (Post post : hidden) {
      String path = "/v1/posts/" + post.postId();
      for (String route : List.of(path, path + "/likes", path + "/comments")) {
        assertCostIsHidden(Expect.status(404, server.as(ann).get(route)));
      }
      assertCostIsHidden(Expect.status(404, server.as(ann).post(path + "/like")));
    }
    for (Post post : hidden) {
      Answer why = server.as(ann).get("/v1/feed/why-missing?post_id=" + post.postId());
      if (!post.equals(ofBlocker)) {
        assertThat(why.at("reason")).isEqualTo("unavailable");
        assertCostIsHidden(why);
      }
    }
    assertThat(server.as(bob).get("/v1/posts/" + hidden.getLast().postId()).header(READ_UNITS))
        .isPresent();
  }

  private static void assertCostIsHidden(Answer answer) {
    assertThat(answer.header(READ_UNITS)).as(answer.text()).isEmpty();
    assertThat(answer.header("X-Consumed-Write-Units")).as(answer.text()).isEmpty();
  }

  private Post written(Visibility visibility, Reader reader) {
    if (reader == Reader.FOLLOWER || reader == Reader.FORMER_FOLLOWER) {
      ann.follows(bob);
      ann.marks(bob);
    }
    Post post = bob.posts("x #" + tag, visibility);
    carol.likes(post);
    carol.comments(post, "well");
    server
        .table()
        .table()
        .putAll(
            List.of(
                new PostTag(
                    post.postId(),
                    tag,
                    bob.id(),
                    post.createdAt(),
                    Visibility.PUBLIC,
                    post.feedShards())));
    world.feeds.deliver(
        List.of(FeedEntry.of(post.ref(), ann.id()), FeedEntry.of(post.ref(), bob.id())));
    if (reader == Reader.FORMER_FOLLOWER) {
      ann.unfollowsKeepingHistory(bob);
    }
    return post;
  }

  private Api api(Reader reader) {
    return server.as(reader == Reader.AUTHOR ? bob : ann);
  }

  private void assertShown(Post post, Visibility visibility, Reader reader) {
    Api api = api(reader);
    boolean mayRead = reader.mayRead(visibility);
    String path = "/v1/posts/" + post.postId();
    for (String one : List.of(path, path + "/likes", path + "/comments")) {
      assertThat(api.get(one).status()).as(one).isEqualTo(mayRead ? 200 : 404);
    }
    assertThat(api.get(path + "/delivery").status()).isEqualTo(reader == Reader.AUTHOR ? 200 : 404);
    assertHolds(api, "/v1/users/" + bob.id() + "/posts", post, mayRead);
    for (String feed : List.of("/v1/feed", "/v1/feed?special_first=true")) {
      assertHolds(api, feed, post, reader.hasInFeed(visibility));
    }
    // Its author may find it there until the stream has processed the change.
    if (reader != Reader.AUTHOR) {
      assertHolds(api, "/v1/tags/" + tag + "/posts", post, visibility == Visibility.PUBLIC);
    }
    String reason = api.get("/v1/feed/why-missing?post_id=" + post.postId()).at("reason");
    assertThat(reason.equals("unavailable")).as(reason).isNotEqualTo(mayRead);
  }

  private static void assertHolds(Api api, String list, Post post, boolean isHeld) {
    assertThat(Paged.ids(api, list, 5))
        .as(list)
        .isEqualTo(isHeld ? List.of(post.postId()) : List.of());
  }

  /** Readers who may read it may like it and comment on it. */
  private void assertAcceptsLikesAndComments(Post post, Visibility visibility, Reader reader) {
    Api api = api(reader);
    boolean mayRead = reader.mayRead(visibility);
    String path = "/v1/posts/" + post.postId();
    assertThat(api.post(path + "/like").status()).isEqualTo(mayRead ? 200 : 404);
    assertThat(api.delete(path + "/like").status()).isEqualTo(mayRead ? 204 : 404);
    assertThat(api.post(path + "/comments", "{\"text\":\"x\"}").status())
        .isEqualTo(mayRead ? 201 : 404);
  }

  /** The number of followed accounts is the same before and after. */
  @Test
  void posts_afterAnUnfollowAndAFollow_areThoseOfTheNewFollowee() {
    Api caller = server.as(ann);
    Post ofBob = bob.posts("x", Visibility.FOLLOWERS);
    Post ofCarol = carol.posts("x", Visibility.FOLLOWERS);
    ann.likes(ofBob);
    ann.likes(ofCarol);
    ann.follows(bob);
    assertThat(Paged.ids(caller, "/v1/users/me/likes", 50)).containsExactly(ofBob.postId());

    ann.unfollows(bob);
    ann.follows(carol);

    assertThat(Paged.ids(caller, "/v1/users/me/likes", 50)).containsExactly(ofCarol.postId());
  }
}
