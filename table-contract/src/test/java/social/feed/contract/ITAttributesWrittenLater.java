package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.counter.CounterRecounts;
import social.feed.table.counter.TransactionalCounters;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaOutcome;
import social.feed.table.media.MediaQuota;
import social.feed.table.row.Key;
import social.feed.table.row.Media;
import social.feed.table.row.Post;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.RowKind;
import social.feed.table.row.User;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Updates add exactly the attributes that the kind of a row declares for them. */
@ExtendWith(EngineExtension.class)
class ITAttributesWrittenLater {
  private static final long EXPIRES_AT = 1_900_000_000L;

  @Test
  void account_recountedAndLeftOut_hasThoseOfItsKind(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var recounts = new CounterRecounts(table.table());
    var key = User.key(alice.id());
    new TransactionalCounters(table.table(), table.clock())
        .leaveOut(new ProcessedEvent("posts_count-1", EXPIRES_AT), key, User.POSTS_COUNT);

    assertThat(recounts.set(alice.account(), User.FOLLOWERS_COUNT, 2)).isTrue();
    assertThat(recounts.setPosts(alice.account(), 1, recounts.leftOut(key))).isTrue();

    var media =
        new Media("m1", alice.id(), "image/png", 9, "f00d", null, Instant.EPOCH, null, null, 1L);
    assertThat(new MediaFiles(table.table()).reserve(media, new MediaQuota(1, 9)))
        .isEqualTo(MediaOutcome.RESERVED);

    assertThat(writtenLater(table, key))
        .containsExactlyInAnyOrderElementsOf(RowKind.USER.extraAttributes());
  }

  @Test
  void post_recounted_hasThoseOfItsKind(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");
    var recounts = new CounterRecounts(table.table());

    assertThat(recounts.set(post, Post.LIKES_COUNT, 0)).isTrue();
    assertThat(recounts.set(post, Post.COMMENTS_COUNT, 0)).isTrue();

    assertThat(writtenLater(table, post.key()))
        .containsExactlyInAnyOrderElementsOf(RowKind.POST.extraAttributes());
  }

  private static Set<String> writtenLater(TestTable table, Key key) {
    Map<String, AttributeValue> item = table.table().get(key).orElseThrow();
    var names = new HashSet<>(item.keySet());
    names.removeAll(RowCodec.encode(RowCodec.decode(item)).keySet());
    return names;
  }
}
