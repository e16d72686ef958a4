package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.home.FeedView;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.PulledAuthor;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** A page reads the posts of its pulled authors at once. */
@ExtendWith(EngineExtension.class)
class ITPulledPosts {
  private static final int AT_ONCE = 16;

  /** Each request waits until as many are under way as one page may send at once. */
  private static final class Gate implements ExecutionInterceptor {
    private final CountDownLatch underWay = new CountDownLatch(AT_ONCE);

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
      underWay.countDown();
      try {
        if (!underWay.await(30, TimeUnit.SECONDS)) {
          throw new IllegalStateException(underWay.getCount() + " requests were not sent at once");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void pulledAuthors_areReadAtOnce(TestTable table) {
    var pulled =
        IntStream.range(0, 40)
            .mapToObj(_ -> PulledAuthor.from(Names.fresh(), Instant.EPOCH))
            .toList();
    var view = new FeedView(Names.fresh(), pulled, Instant.EPOCH);
    var gate = new Gate();
    try (var client = table.newClient(gate)) {
      var retry = new Retry(1, Duration.ZERO, Duration.ZERO, new Random(1), _ -> {});
      var feeds = new HomeFeeds(new Table(client, table.table().name(), retry));

      assertThat(feeds.of(view, PageRequest.first(50)).items()).isEqualTo(List.of());
    }
    assertThat(gate.underWay.getCount()).isZero();
  }
}
