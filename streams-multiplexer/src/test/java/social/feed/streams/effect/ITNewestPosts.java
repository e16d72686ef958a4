package social.feed.streams.effect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.home.FeedAuthors;
import social.feed.table.post.RecentDeliveries;
import social.feed.table.row.Post;
import social.feed.table.row.PostRef;
import social.feed.table.row.Visibility;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;

@ExtendWith(EngineExtension.class)
class ITNewestPosts {
  private final SeedWorld world;
  private final TestTable table;
  private final FeedAuthors authors;
  private final RecentDeliveries deliveries;
  private final Person ann;
  private final Person bob;
  private final Person cid;

  ITNewestPosts(TestTable table, SeedWorld world) {
    this.table = table;
    this.world = world;
    this.authors = new FeedAuthors(table.table());
    this.deliveries = new RecentDeliveries(table.table(), table.clock());
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.cid = world.user("cid");
  }

  @Test
  void postsOfSeveralAuthors_areMerged_downToATime() {
    bob.follows(ann);
    bob.follows(cid);
    var posts = posts(130);
    var newest = new NewestPosts(world.posts, deliveries, posts.get(3).createdAt(), null, 1_000);

    authors.of(bob.id()).forEach(newest::collect);

    assertThat(ids(newest)).containsExactlyElementsOf(ids(posts.subList(3, 130)));
    assertThat(newest.completeSince()).isEqualTo(posts.get(3).createdAt());
  }

  @Test
  void postsBeyondTheMaximum_areDropped_andTheTimeOfCompletenessIsKnown() {
    bob.follows(ann);
    bob.follows(cid);
    var posts = posts(130);
    var newest = new NewestPosts(world.posts, deliveries, posts.get(3).createdAt(), null, 100);

    authors.of(bob.id()).forEach(newest::collect);

    assertThat(ids(newest)).containsExactlyElementsOf(ids(posts.subList(30, 130)));
    assertThat(newest.completeSince()).isEqualTo(posts.get(30).createdAt().plusMillis(1));
  }

  @Test
  void postsAfterATime_areLeftOut() {
    bob.follows(ann);
    bob.follows(cid);
    var posts = posts(130);
    var until = posts.get(100).createdAt();
    var newest = new NewestPosts(world.posts, deliveries, posts.get(3).createdAt(), until, 1_000);

    authors.of(bob.id()).forEach(newest::collect);

    assertThat(ids(newest)).containsExactlyElementsOf(ids(posts.subList(3, 101)));
  }

  @Test
  void listOfAnAuthor_isReadOnlyAsFarAsItCounts() {
    bob.follows(ann);
    for (int i = 0; i < 130; i++) {
      ann.posts("x");
    }
    var last = ann.posts("x");
    var newest = new NewestPosts(world.posts, deliveries, last.createdAt(), null, 1_000);

    var author =
        authors.of(bob.id()).stream().filter(one -> one.authorId().equals(ann.id())).toList();

    assertThat(author).hasSize(1);
    assertThat(TestTable.costOf(() -> newest.collect(author.getFirst())).read()).isLessThan(2.5);
  }

  @Test
  void postsBeforeTheFollow_orPrivate_areLeftOut() {
    posts(4);
    bob.follows(ann);
    ann.posts("secret", Visibility.PRIVATE);
    var eligible = ann.posts("x", Visibility.FOLLOWERS);
    var newest = new NewestPosts(world.posts, deliveries, Instant.EPOCH, null, 10);

    authors.of(bob.id()).forEach(newest::collect);

    assertThat(ids(newest)).containsExactly(eligible.postId());
  }

  @Test
  void postsDeliveredLately_countOnce_andOnlyWithinTheTimes() {
    bob.follows(ann);
    var posts = List.of(ann.posts("1"), ann.posts("2"), ann.posts("3"), ann.posts("4"));
    deliveries.begin(posts);
    var since = posts.get(1).createdAt();
    var until = posts.get(2).createdAt();
    var newest = new NewestPosts(world.posts, deliveries, since, until, 10);

    authors.of(bob.id()).forEach(newest::collect);

    assertThat(ids(newest)).containsExactlyElementsOf(ids(posts.subList(1, 3)));
  }

  @Test
  void postsOfNoAuthor_areNone() {
    var newest = new NewestPosts(world.posts, deliveries, table.clock().instant(), null, 10);

    authors.of(bob.id()).forEach(newest::collect);

    assertThat(newest.refs()).isEmpty();
  }

  private List<Post> posts(int count) {
    var posts = new ArrayList<Post>();
    for (int i = 0; i < count; i++) {
      posts.add(i % 2 == 0 ? ann.posts("x") : cid.posts("y"));
    }
    return posts;
  }

  private static List<String> ids(NewestPosts newest) {
    return newest.refs().stream().map(PostRef::postId).sorted().toList();
  }

  private static List<String> ids(List<Post> posts) {
    return posts.stream().map(Post::postId).sorted().toList();
  }
}
