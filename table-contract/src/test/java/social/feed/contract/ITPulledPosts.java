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
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedRef;
import social.feed.table.row.PulledAuthor;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** Posts of pulled authors in feeds. */
@ExtendWith(EngineExtension.class)
class ITPulledPosts {
  private static final int AT_ONCE = 16;
  private static final Instant TIME = Instant.parse("2026-03-01T12:00:00Z");

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

  /** The times of the registry's row belong to the period. */
  @Test
  void period_hasItsFirstAndItsLastMillisecond(TestTable table) {
    var author = Names.fresh();
    var posts =
        IntStream.range(0, 5)
            .mapToObj(i -> SamplePosts.of(author, TIME.plusMillis(i), FanOutMode.PULL))
            .toList();
    table.table().putAll(posts);
    var period = new PulledAuthor(author, TIME.plusMillis(1), TIME.plusMillis(3), 1, 1, 1);
    var feeds = new HomeFeeds(table.table());

    for (int size = 1; size <= 6; size++) {
      int limit = size;
      assertThat(
              Page.all(limit, request -> feeds.pulled(period, request))
                  .flatMap(page -> page.items().stream())
                  .map(FeedRef::createdAt))
          .containsExactly(TIME.plusMillis(3), TIME.plusMillis(2), TIME.plusMillis(1));
    }
  }
}
