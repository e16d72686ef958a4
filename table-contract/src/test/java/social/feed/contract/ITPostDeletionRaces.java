package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.table.kernel.store.Condition.present;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.store.Update;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.post.DeleteOutcome;
import social.feed.table.post.Posts;
import social.feed.table.row.Post;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.User;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** The deletion of a post while the stream counts it. */
@ExtendWith(EngineExtension.class)
class ITPostDeletionRaces {
  @Test
  void postThatIsCountedWhileItIsDeleted_isSubtracted(TestTable table, SeedWorld world) {
    var author = world.user("author");
    var post = author.posts("soon gone");
    var isCounted = new AtomicBoolean();
    var counting =
        new Wire() {
          @Override
          public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> sent) {
            if (request instanceof TransactWriteItemsRequest
                && isCounted.compareAndSet(false, true)) {
              count(table, post);
            }
            return sent.apply(request);
          }
        };

    var deleted =
        new Posts(WiredClient.table(table.table(), counting))
            .delete(post.postId(), author.id(), Timestamps.now(table.clock()));

    assertThat(deleted).isEqualTo(DeleteOutcome.DELETED);
    assertThat(isCounted).isTrue();
    assertThat(author.account().postsCount()).isZero();
  }

  /** As the lane of effects: once, with the event that it has processed. */
  private static void count(TestTable table, Post post) {
    var created =
        ProcessedEvent.ofPost(post.postId(), ProcessedEvent.CREATED, Timestamps.now(table.clock()));
    table.table().putAll(List.of(created));
    var counted =
        table
            .table()
            .update(User.key(post.authorId()), new Update().add(User.POSTS_COUNT, 1), present());
    assertThat(counted.isDone()).isTrue();
  }
}
