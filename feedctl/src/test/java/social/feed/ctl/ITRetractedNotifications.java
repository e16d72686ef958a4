package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/**
 * Notifications of posts that were retracted, and whose records stay. Verify finds no drift, and
 * its repair does not notify of an old post. A notification that is lost otherwise is a {@link
 * Fault}.
 */
class ITRetractedNotifications {
  private final VerifyWorld world = new VerifyWorld();
  private final SeedWorld seed = new SeedWorld(world.table(), Clock.systemUTC());
  private final Person author = seed.user("author");
  private final Person reader = seed.user("reader");
  private Post post;

  @BeforeEach
  void announce() {
    followSpecially();
    post = author.posts("For special followers");
    world.drain();
    assertThat(isNotified()).isTrue();
  }

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void postThatIsShownAgain_afterTheReaderHasUnfollowed_isNotDue() {
    change(Visibility.PRIVATE);
    reader.unfollows(author);
    change(Visibility.PUBLIC);
    followSpecially();

    assertNothingIsDue();
  }

  @Test
  void postThatIsShownAgain_whileTheReaderMutesTheAuthor_isNotDue() {
    reader.mutes(author);
    change(Visibility.PRIVATE);
    change(Visibility.PUBLIC);
    reader.unmutes(author);

    assertNothingIsDue();
  }

  /** No version counts a change between public and for followers. */
  @Test
  void postThatIsNarrowedToFollowers_afterTheReaderHasUnfollowed_isNotDue() {
    reader.unfollows(author);
    change(Visibility.FOLLOWERS);
    followSpecially();

    assertNothingIsDue();
  }

  private void followSpecially() {
    reader.follows(author);
    reader.marks(author);
    world.drain();
  }

  private void change(Visibility visibility) {
    assertThat(seed.posts.changeVisibility(post.postId(), author.id(), visibility)).isPresent();
    world.drain();
  }

  private void assertNothingIsDue() {
    world.drain();
    assertThat(isNotified()).isFalse();

    var report = world.verify();
    var fixed = world.fix();

    assertThat(report.isClean()).as(report.render()).isTrue();
    assertThat(fixed.repaired()).as(fixed.render()).isZero();
    assertThat(isNotified()).isFalse();
  }

  /** Fails where there is no record that the reader was notified. */
  private boolean isNotified() {
    var record = (PostNotification) world.row(PostNotification.key(post.postId(), reader.id()));
    return world.table().get(record.notification().key()).isPresent();
  }
}
