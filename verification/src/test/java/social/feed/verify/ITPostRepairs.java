package social.feed.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PostTag;
import social.feed.table.row.Visibility;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;

/** Repairs of rows of a post that changes between the comparison and the repair. */
@ExtendWith(EngineExtension.class)
class ITPostRepairs {
  private final TestTable table;
  private final SeedWorld world;
  private final Repairs repairs;
  private final Person author;
  private final Person reader;
  private final Post post;

  /** The post lacks its tag row. */
  private final PostTag tag;

  /** It lacks its notification. */
  private final PostNotification record;

  ITPostRepairs(TestTable table, SeedWorld world) {
    this.table = table;
    this.world = world;
    this.repairs = new Repairs(table.table(), table.clock());
    this.author = world.user("author");
    this.reader = world.user("reader");
    reader.follows(author);
    this.post = author.posts("#again");
    this.tag = PostTag.of(post, "again");
    var later = table.clock().instant().plus(Duration.ofDays(50)).getEpochSecond();
    this.record =
        new PostNotification(post.postId(), reader.id(), author.id(), post.createdAt(), later);
  }

  @Test
  void unchanged_bothAreWritten() {
    assertThat(repairs.writeTag(tag)).isTrue();
    assertThat(repairs.notifyAgain(record)).isTrue();
    assertThat(repairs.notifyAgain(record)).isFalse();

    assertThat(tagged()).isEqualTo(1);
    assertThat(isNotified()).isTrue();
  }

  @Test
  void hiddenMeanwhile_thePostIsUnderNoTag_andNotifiesNoOne() {
    change(Visibility.PRIVATE);

    assertThat(repairs.writeTag(tag)).isTrue();
    assertThat(repairs.notifyAgain(record)).isFalse();

    assertThat(tagged()).isZero();
    assertThat(table.table().get(tag.key()).map(RowCodec::decode))
        .contains(PostTag.of(world.posts.get(post.postId()).orElseThrow(), "again"));
    assertThat(isNotified()).isFalse();
  }

  @Test
  void narrowedMeanwhile_onlyFollowersAreNotified() {
    change(Visibility.FOLLOWERS);
    assertThat(repairs.notifyAgain(record)).isTrue();
    table.table().delete(record.notification().key());
    reader.unfollows(author);

    assertThat(repairs.notifyAgain(record)).isFalse();

    assertThat(isNotified()).isFalse();
  }

  @Test
  void deletedMeanwhile_neitherIsWritten() {
    author.deletes(post);

    assertThat(repairs.writeTag(tag)).isFalse();
    assertThat(repairs.notifyAgain(record)).isFalse();

    assertThat(table.table().get(tag.key())).isEmpty();
    assertThat(isNotified()).isFalse();
  }

  private void change(Visibility visibility) {
    world.posts.changeVisibility(post.postId(), author.id(), visibility);
  }

  private int tagged() {
    return (int)
        world.posts.withTag("again", PageRequest.first(10)).items().stream()
            .filter(ref -> ref.postId().equals(post.postId()))
            .count();
  }

  private boolean isNotified() {
    return table.table().get(record.notification().key()).isPresent();
  }
}
