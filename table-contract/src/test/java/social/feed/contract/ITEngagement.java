package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.post.DeleteOutcome;
import social.feed.table.post.PostTags;
import social.feed.table.row.Comment;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.PostRef;
import social.feed.table.row.Visibility;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;

/** Posts, tags, likes and comments: repeats change nothing, and deletes return their result. */
@ExtendWith(EngineExtension.class)
class ITEngagement {
  private static final PageRequest PAGE = PageRequest.first(50);

  @Test
  void create_repeat_returnsTheFirstPost(SeedWorld world) {
    var post = world.user("alice").posts("first");
    var other = withText(post, "second");

    assertThat(world.posts.create(other)).contains(post);
    assertThat(world.posts.get(post.postId())).contains(post);
  }

  @Test
  void create_manyConcurrent_isWrittenOnce(SeedWorld world) {
    var post = world.user("alice").posts("x");
    world.posts.delete(post.postId(), post.authorId(), post.createdAt());

    var outcomes = AtOnce.run(16, i -> world.posts.create(withText(post, "text " + i)));

    assertThat(outcomes).filteredOn(Optional::isEmpty).hasSize(1);
    var winner = world.posts.get(post.postId());
    assertThat(outcomes).filteredOn(Optional::isPresent).allMatch(winner::equals);
  }

  @Test
  void delete_post_returnsWhatItDid(SeedWorld world) {
    var alice = world.user("alice");
    var post = alice.posts("x");

    assertThat(world.posts.delete(post.postId(), "mallory", post.createdAt()))
        .isEqualTo(DeleteOutcome.NOT_YOURS);
    assertThat(world.posts.get(post.postId())).isPresent();
    assertThat(world.posts.delete(post.postId(), alice.id(), post.createdAt()))
        .isEqualTo(DeleteOutcome.DELETED);
    assertThat(world.posts.delete(post.postId(), alice.id(), post.createdAt()))
        .isEqualTo(DeleteOutcome.ABSENT);
    assertThat(world.posts.get(post.postId())).isEmpty();
    assertThat(world.posts.ofAuthor(alice.id(), PAGE).items()).isEmpty();
  }

  /** Until its dead letter expires, the count of a post may still come. */
  @Test
  void delete_ofAPostThatIsNotCountedYet_subtractsNothing(SeedWorld world) {
    var alice = world.user("alice");
    var post = alice.posts("x");
    var older = alice.posts("y");
    var latest = post.createdAt().plus(Retention.LATEST_EFFECT);

    world.posts.delete(post.postId(), alice.id(), latest);
    assertThat(alice.account().postsCount()).isZero();

    world.posts.delete(older.postId(), alice.id(), latest.plusSeconds(60));
    assertThat(alice.account().postsCount()).isEqualTo(-1);
  }

  @Test
  void like_repeat_keepsTheTimeOfTheFirst(SeedWorld world) {
    var alice = world.user("alice");
    var post = alice.posts("x");
    var first = alice.likes(post);

    var again = new Like(post.postId(), alice.id(), alice.id(), first.createdAt().plusSeconds(9));

    assertThat(world.likes.add(again)).contains(first);
    assertThat(world.likes.of(post.postId(), 0, PAGE).items())
        .extracting(like -> like.createdAt())
        .containsExactly(first.createdAt());
  }

  @Test
  void unlike_repeat_changesNothing_andReturnsFalse(SeedWorld world) {
    var alice = world.user("alice");
    var post = alice.posts("x");
    alice.likes(post);

    assertThat(world.likes.remove(post.postId(), alice.id())).isTrue();
    assertThat(world.likes.remove(post.postId(), alice.id())).isFalse();

    assertThat(world.likes.of(post.postId(), 0, PAGE).items()).isEmpty();
    assertThat(world.likes.likedBy(alice.id(), List.of(post.postId()))).isEmpty();
  }

  @Test
  void likedBy_somePosts_returnsTheLikedOnes(SeedWorld world) {
    var alice = world.user("alice");
    var liked = alice.posts("x");
    var other = alice.posts("y");
    alice.likes(liked);

    assertThat(world.likes.likedBy(alice.id(), List.of(liked.postId(), other.postId())))
        .containsExactly(liked.postId());
    assertThat(world.likes.likedBy("bob", List.of(liked.postId()))).isEmpty();
  }

  @Test
  void likedAmong_recentPosts_costsTheNewestLikes(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var old = alice.posts("before all likes");
    alice.likes(old);
    var posts = IntStream.range(0, 60).mapToObj(i -> alice.posts("post " + i)).toList();
    posts.subList(0, 55).forEach(alice::likes);

    var observed =
        Observed.of(table, () -> world.likes.likedAmong(alice.id(), posts.subList(10, 60)));

    assertThat(observed.answer())
        .containsExactlyInAnyOrderElementsOf(
            posts.subList(10, 55).stream().map(Post::postId).toList());
    assertThat(observed.requests()).hasSize(1);
    assertThat(observed.cost()).isEqualTo(new ConsumedUnits(1.5, 0));
  }

  @Test
  void likedAmong_postsOlderThanTheNewestLikes_readsThemByKey(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var liked = alice.posts("liked long ago");
    var other = alice.posts("never liked");
    var at = liked.createdAt();
    world.likes.add(new Like(liked.postId(), alice.id(), alice.id(), at));
    table
        .table()
        .putAll(
            IntStream.range(0, 120)
                .mapToObj(
                    i -> new Like(Names.fresh(), alice.id(), "bob", at.plusSeconds(3_600 + i)))
                .toList());

    var observed =
        Observed.of(table, () -> world.likes.likedAmong(alice.id(), List.of(liked, other)));

    assertThat(observed.answer()).containsExactly(liked.postId());
    assertThat(observed.requests()).hasSize(2);
  }

  @Test
  void likedAmong_postsNewerThanMostLikes_costsTheLikesSinceThen(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var post = alice.posts("x");
    var before = post.createdAt().minusSeconds(3_600);
    table
        .table()
        .putAll(
            IntStream.range(0, 120)
                .mapToObj(i -> new Like(Names.fresh(), alice.id(), "bob", before.plusSeconds(i)))
                .toList());
    alice.likes(post);

    var observed = Observed.of(table, () -> world.likes.likedAmong(alice.id(), List.of(post)));

    assertThat(observed.answer()).containsExactly(post.postId());
    assertThat(observed.requests()).hasSize(1);
    assertThat(observed.cost()).isEqualTo(new ConsumedUnits(0.5, 0));
  }

  @Test
  void likedAmong_asManyLikesAsAreRead_findsTheOldest(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var posts = IntStream.range(0, 100).mapToObj(i -> alice.posts("post " + i)).toList();
    posts.forEach(alice::likes);

    assertThat(world.likes.likedAmong(alice.id(), posts))
        .containsExactlyInAnyOrderElementsOf(posts.stream().map(Post::postId).toList());
  }

  @Test
  void likedAmong_likeThatSeemsOlderThanItsPost_isFound(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var post = alice.posts("x");
    var early = post.createdAt().minusSeconds(30);
    world.likes.add(new Like(post.postId(), alice.id(), alice.id(), early));
    table
        .table()
        .putAll(
            IntStream.range(0, 120)
                .mapToObj(i -> new Like(Names.fresh(), alice.id(), "bob", early.plusMillis(i + 1)))
                .toList());

    assertThat(world.likes.likedAmong(alice.id(), List.of(post))).containsExactly(post.postId());
  }

  @Test
  void comment_repeatAndDelete_takeEffectOnceEach(SeedWorld world) {
    var alice = world.user("alice");
    var post = alice.posts("x");
    var first = alice.comments(post, "first");
    var second =
        new Comment(
            first.postId(), first.commentId(), alice.id(), alice.id(), "second", first.createdAt());

    assertThat(world.comments.add(second)).contains(first);
    assertThat(world.comments.get(post.postId(), first.commentId())).contains(first);
    world.comments.delete(post.postId(), first.commentId());
    world.comments.delete(post.postId(), first.commentId());
    assertThat(world.comments.get(post.postId(), first.commentId())).isEmpty();
  }

  @Test
  void tags_publicPost_areListedAndOthersAreNot(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var tag = Names.fresh();
    var seen = alice.posts("#" + tag);
    var hidden = alice.posts("#" + tag, Visibility.FOLLOWERS);
    var tags = new PostTags(table.table());

    tags.write(List.of(seen, hidden));
    tags.write(List.of(seen, hidden));

    assertThat(world.posts.withTag(tag, PAGE).items())
        .extracting(PostRef::postId)
        .containsExactly(seen.postId());
    assertThat(childrenOf(table, hidden)).isEqualTo(1);
  }

  @Test
  void tags_onePostTwiceInABatch_areWrittenOnce(TestTable table, SeedWorld world) {
    var tag = Names.fresh();
    var post = world.user("alice").posts("#" + tag);

    new PostTags(table.table()).write(List.of(post, post));

    assertThat(world.posts.withTag(tag, PAGE).items())
        .extracting(PostRef::postId)
        .containsExactly(post.postId());
  }

  private static int childrenOf(TestTable table, Post post) {
    return List.of(Keys.TAGS, Keys.LIKES, Keys.COMMENTS).stream()
        .flatMap(p -> new PartitionQueries(table.table()).keys(Keys.post(post.postId()), p))
        .mapToInt(List::size)
        .sum();
  }

  private static Post withText(Post post, String text) {
    return SamplePosts.like(post).text(text).build();
  }
}
