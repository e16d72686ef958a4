package social.feed.api.engagement;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.Paged;
import social.feed.api.post.OwnLikes;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** The lists of what the caller liked and commented. */
@ExtendWith(FeedServerExtension.class)
class ITOwnEngagement {
  private static final String LIKES = "/v1/users/me/likes";
  private static final String COMMENTS = "/v1/users/me/comments";

  private final FeedServer server;
  private final Person ann;
  private final Person bob;
  private final Api caller;

  ITOwnEngagement(FeedServer server, SeedWorld world) {
    this.server = server;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.caller = server.as(ann);
  }

  @Test
  void likes_areNewestLikeFirstInPagesOfAnySize() {
    List<Post> posts = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      posts.add(bob.posts("post " + i));
    }
    posts.reversed().forEach(ann::likes);
    bob.likes(bob.posts("liked by another account"));

    Paged.holds(caller, LIKES, posts.stream().map(Post::postId).toList());
    Paged.rejectsInvalidParameters(caller, server.as(bob), LIKES, COMMENTS, 50);
  }

  @Test
  void like_inTheList_hasItsTimeAndThePost() {
    Post post = bob.posts("x");
    Answer liked = Expect.status(200, caller.post("/v1/posts/" + post.postId() + "/like"));

    assertThat(caller.get(LIKES).text())
        .isEqualTo(
            "{\"items\":[{\"liked_at\":\"%s\",\"post\":%s}]}"
                .formatted(liked.at("liked_at"), caller.get("/v1/posts/" + post.postId()).text()));
  }

  @Test
  void likes_ofPostsThatCannotBeSeen_areLeftOutAndPagesStayFull() {
    Person carl = server.world().user("carl");
    List<String> visible = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Post shown = bob.posts("shown");
      ann.likes(shown);
      visible.addFirst(shown.postId());
      ann.likes(carl.posts("behind a block"));
      Post deleted = bob.posts("deleted");
      ann.likes(deleted);
      bob.deletes(deleted);
      ann.likes(bob.posts("private", Visibility.PRIVATE));
      ann.likes(bob.posts("for followers", Visibility.FOLLOWERS));
    }
    Post undone = bob.posts("undone");
    ann.likes(undone);
    ann.unlikes(undone);
    carl.blocks(ann);

    Paged.holds(caller, LIKES, visible);
    assertThat(Paged.ids(server.as(carl), LIKES, 50)).isEmpty();
    ann.follows(bob);
    assertThat(Paged.ids(caller, LIKES, 3)).hasSize(10).containsAll(visible);
  }

  @Test
  void comments_areNewestFirstInPagesOfAnySize() {
    Post post = bob.posts("x");
    List<String> written = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      written.addFirst(ann.comments(post, "comment " + i).commentId());
      bob.comments(post, "of another account");
    }

    Paged.holds(caller, COMMENTS, written);
    Paged.rejectsInvalidParameters(caller, server.as(bob), COMMENTS, LIKES, 50);
  }

  @Test
  void comment_inTheList_equalsTheOneOfThePost() {
    Post post = bob.posts("x");
    ann.comments(post, "well said");
    String ofPost = caller.get("/v1/posts/" + post.postId() + "/comments").text();
    String comment = ofPost.substring("{\"items\":[".length(), ofPost.length() - 2);

    assertThat(caller.get(COMMENTS).text())
        .isEqualTo(
            "{\"items\":[{\"comment\":%s,\"post\":%s}]}"
                .formatted(comment, caller.get("/v1/posts/" + post.postId()).text()));
  }

  @Test
  void comments_deletedOrUnderPostsThatCannotBeSeen_areLeftOut() {
    Post kept = bob.posts("kept");
    Post hidden = bob.posts("hidden", Visibility.PRIVATE);
    Post deleted = bob.posts("deleted");
    String shown = ann.comments(kept, "shown").commentId();
    ann.comments(hidden, "under a private post");
    ann.comments(deleted, "under a deleted post");
    String undone = ann.comments(kept, "undone").commentId();
    bob.deletes(deleted);
    Expect.status(204, caller.delete("/v1/posts/" + kept.postId() + "/comments/" + undone));

    Paged.holds(caller, COMMENTS, List.of(shown));
  }

  @Test
  void like_whileTheIndexIsLate_isShownByTheServerThatWroteIt() {
    try (FeedServer late = FeedServer.start(Map.of(), new LateLikes())) {
      Person reader = late.world().user("reader");
      Person author = late.world().user("author");
      Post post = author.posts("x");
      String posts = "/v1/users/" + author.id() + "/posts";
      String like = "/v1/posts/" + post.postId() + "/like";
      assertThat(late.as(reader).get(posts).text()).contains("\"liked\":false");

      Expect.status(200, late.as(reader).post(like));
      assertThat(late.as(reader).get(posts).text()).contains("\"liked\":true");
      Expect.status(204, late.as(reader).delete(like));
      assertThat(late.as(reader).get(posts).text()).contains("\"liked\":false");

      // Another server sees the like as soon as the index has it.
      reader.likes(post);
      Post other = author.posts("y");
      reader.likes(other);
      assertThat(late.as(reader).get("/v1/posts/" + other.postId()).text())
          .contains("\"liked\":true");
    }
  }

  /** A like of long ago is in the index, and in nothing that the server remembers. */
  @Test
  void unlike_whileTheIndexIsLate_isShownByTheServerThatWroteIt() {
    var index = new LateUnlikes();
    try (FeedServer late = FeedServer.start(Map.of(), index)) {
      Person reader = late.world().user("reader");
      Person author = late.world().user("author");
      Post post = author.posts("x");
      reader.likes(post);
      String posts = "/v1/users/" + author.id() + "/posts";
      assertThat(late.as(reader).get(posts).text()).contains("\"liked\":true");
      index.isLate = true;

      Expect.status(204, late.as(reader).delete("/v1/posts/" + post.postId() + "/like"));

      assertThat(late.as(reader).get(posts).text()).contains("\"liked\":false");
    }
  }

  /** An index of the tests is late by up to ten seconds, and the page of decisions says so long. */
  @Test
  void likeOfThisServer_isReadByKey_forTenSeconds() throws ReflectiveOperationException {
    var late = OwnLikes.class.getDeclaredField("late");
    late.setAccessible(true);
    var remembered = (Cache<?, ?>) late.get(server.bean(OwnLikes.class));

    assertThat(remembered.policy().expireAfterWrite().orElseThrow().getExpiresAfter())
        .isEqualTo(Duration.ofSeconds(10));
  }

  /** An index of likes of accounts that stays as it was. */
  private static final class LateUnlikes implements Wire {
    private final Map<QueryRequest, QueryResponse> seen = new ConcurrentHashMap<>();
    private volatile boolean isLate;

    @Override
    @SuppressWarnings("unchecked") // The kept response has the type of the original.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      if (!(request instanceof QueryRequest query)
          || !Objects.equals(query.indexName(), Index.POSTS_BY_TAG.indexName())) {
        return table.apply(request);
      }
      QueryResponse answer = (QueryResponse) table.apply(request);
      QueryResponse before = seen.putIfAbsent(query, answer);
      return (A) (isLate && before != null ? before : answer);
    }
  }

  /** An index without the likes of accounts. */
  private static final class LateLikes implements Wire {
    @Override
    @SuppressWarnings("unchecked") // The rebuilt response has the type of the original.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      A answer = table.apply(request);
      return request instanceof QueryRequest query
              && Objects.equals(query.indexName(), Index.POSTS_BY_TAG.indexName())
          ? (A) ((QueryResponse) answer).toBuilder().items(List.of()).lastEvaluatedKey(null).build()
          : answer;
    }
  }
}
