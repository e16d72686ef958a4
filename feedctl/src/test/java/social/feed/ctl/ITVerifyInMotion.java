package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.table.kernel.store.Condition.present;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Inbox;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.TopAuthor;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import social.feed.verify.Report;
import social.feed.verify.Verification;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.Select;

/**
 * Verifies rows that change all the time, so that each look differs. The first drain is before the
 * walk, the second before the rows are checked again, and the third before those that differ are
 * looked at once more.
 */
class ITVerifyInMotion {
  private static final String SHARD = "shardId-00000001772366400000-abcdef";

  private final TestTable table = TestTable.start();
  private final SeedWorld world = new SeedWorld(table.table(), table.clock());
  private final Person author = world.user("author");
  private final Queue<Runnable> script = new ArrayDeque<>();
  private int users;

  @AfterEach
  void stop() {
    table.close();
  }

  @Test
  void likesThatComeDuringEachCount_areNoDrift() {
    var post = ownPost();
    like(post);

    var report = verify(new LikedMeanwhile(post));

    assertThat(line(report, Post.LIKES_COUNT).drifts()).as(report.render()).isZero();
  }

  @Test
  void wrongNumberOfLikes_isFoundWhileTheyCome() {
    var post = ownPost();
    like(post);
    table.table().update(post.key(), new Update().set(Post.LIKES_COUNT, 50L), present());

    var report = verify(new LikedMeanwhile(post));

    assertThat(line(report, Post.LIKES_COUNT).drifts()).as(report.render()).isEqualTo(1);
  }

  @Test
  void postsOfAnAuthorWhoWritesAllTheTime_areNoDrift() {
    var reader = world.user("reader");
    reader.follows(author);
    var first = ownPost();
    script.add(() -> {});
    script.add(
        () -> {
          deliver(first, reader);
          var second = ownPost();
          script.add(
              () -> {
                deliver(second, reader);
                ownPost();
              });
        });

    var report = verify(Wire.SOUND);

    assertThat(script).isEmpty();
    assertThat(line(report, "complete feeds").drifts()).as(report.render()).isZero();
  }

  @Test
  void postThatIsNeverDelivered_isFoundWhileItsAuthorWrites() {
    var reader = world.user("reader");
    reader.follows(author);
    ownPost();
    script.add(() -> {});
    script.add(() -> {});
    script.add(this::ownPost);

    var report = verify(Wire.SOUND);

    assertThat(script).isEmpty();
    assertThat(line(report, "complete feeds").drifts()).as(report.render()).isEqualTo(1);
  }

  /** The inbox differs in a second way, which is found and counted at the second look. */
  @Test
  void rowWithTwoDrifts_isCountedTwice_andNotMore() {
    var inbox = Inbox.counted(Inbox.key(author.id()), 7, Map.of());

    table.table().putAll(List.of(inbox));

    assertThat(line(verify(Wire.SOUND), Inbox.UNREAD).drifts()).isEqualTo(2);
  }

  @Test
  void monthWhoseRowComesMeanwhile_isNoDrift() {
    var follow = world.user("reader").follows(author);
    var month = TopAuthor.empty(Keys.month(follow.createdAt()), author.id());
    script.add(() -> {});
    script.add(() -> {});
    script.add(
        () ->
            table
                .table()
                .putAll(List.of(month.plus(Map.of(TopAuthor.GAINED, 1L), Map.of()).row())));

    var report = verify(Wire.SOUND);

    assertThat(script).isEmpty();
    assertThat(line(report, "followers gained").drifts()).as(report.render()).isZero();
  }

  /** Likes the post when its likes are counted, and counts the like as the multiplexer does. */
  private final class LikedMeanwhile implements Wire {
    private final Post post;

    LikedMeanwhile(Post post) {
      this.post = post;
    }

    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> sent) {
      if (request instanceof QueryRequest query
          && query.select() == Select.COUNT
          && query.expressionAttributeValues().values().stream()
              .anyMatch(value -> Keys.post(post.postId()).equals(value.s()))
          && query.expressionAttributeValues().values().stream()
              .anyMatch(value -> Keys.LIKES.equals(value.s()))) {
        like(post);
      }
      return sent.apply(request);
    }
  }

  private void like(Post post) {
    world.user("user" + ++users).likes(post);
    var change = new CountChange("%021d".formatted(users), Post.LIKES_COUNT, 1);
    new Counters(table.table(), new CelebrityRule(1_000))
        .apply(SHARD, Map.of(post.key(), List.of(change)));
  }

  /** Writes a post that is in the feed of its author. */
  private Post ownPost() {
    table.clock().advance(Duration.ofSeconds(1));
    var post = author.posts("Hello");
    deliver(post, author);
    return post;
  }

  private void deliver(Post post, Person reader) {
    table.table().putAll(List.of(FeedEntry.of(post.ref(), reader.id())));
  }

  private Report verify(Wire wire) {
    Table wired = WiredClient.table(table.table(), wire);
    return new Verification(wired, table.clock(), Optional.empty(), TrendingTags.HALF_LIFE)
        .run(
            () -> {
              var next = script.poll();
              if (next != null) {
                next.run();
              }
            },
            _ -> {});
  }

  private static Report.Line line(Report report, String check) {
    return report.lines().stream()
        .filter(line -> line.check().equals(check))
        .findFirst()
        .orElseThrow();
  }
}
