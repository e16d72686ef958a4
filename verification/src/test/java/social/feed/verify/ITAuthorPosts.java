package social.feed.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.post.Posts;
import social.feed.table.row.PostRef;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;

/** The posts of an author with more posts than are kept. */
@ExtendWith(EngineExtension.class)
class ITAuthorPosts {
  private static final int POSTS = 7;

  @Test
  void postsBeyondTheKeptOnes_areReadOnceEach_inOrder(TestTable table, SeedWorld world) {
    var author = world.user("author");
    var newestFirst = new ArrayList<PostRef>();
    for (int i = 0; i < POSTS; i++) {
      table.clock().advance(Duration.ofMinutes(1));
      newestFirst.addFirst(author.posts("Hello").ref());
    }

    for (int kept = 1; kept <= POSTS + 1; kept++) {
      var posts = new AuthorPosts(new Posts(table.table()), kept);

      assertThat(posts.of(author.id())).as("%d kept", kept).isEqualTo(newestFirst);
      for (int i = 0; i < POSTS; i++) {
        assertThat(posts.before(author.id(), newestFirst.get(i).createdAt()))
            .as("%d kept, before the %d. newest", kept, i)
            .isEqualTo(newestFirst.subList(i + 1, POSTS));
      }
    }
  }

  @Test
  void keptPosts_areReadOnce(TestTable table, SeedWorld world) {
    var author = world.user("author");
    author.posts("Hello");
    var posts = new AuthorPosts(new Posts(table.table()));
    assertThat(posts.of(author.id())).hasSize(1);
    table.requests().take();

    assertThat(posts.of(author.id())).hasSize(1);
    assertThat(table.requests().take()).isEmpty();

    posts.clear();
    author.posts("Again");
    assertThat(posts.of(author.id())).hasSize(2);
  }
}
