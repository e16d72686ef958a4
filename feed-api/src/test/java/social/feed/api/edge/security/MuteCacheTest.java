package social.feed.api.edge.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.page.Page;
import social.feed.table.row.BlockOrMute;
import social.feed.table.row.FollowQuota;

class MuteCacheTest {
  private static final Page<BlockOrMute> NONE = new Page<>(List.of(), null);

  /** More callers than a small map has buckets. */
  @Test
  void readThatHangs_holdsUpNoOtherCaller() throws InterruptedException {
    var mutes = new MuteCache();
    var begun = new CountDownLatch(1);
    var ends = new CountDownLatch(1);
    var slow =
        Thread.ofPlatform()
            .start(
                () ->
                    mutes.of(
                        FollowQuota.none("slow"),
                        () -> {
                          begun.countDown();
                          await(ends);
                          return NONE;
                        }));
    begun.await();
    var others =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  for (int i = 0; i < 500; i++) {
                    mutes.of(FollowQuota.none("other" + i), () -> NONE);
                  }
                });

    boolean haveEnded = others.join(Duration.ofSeconds(30));

    ends.countDown();
    slow.join();
    assertThat(haveEnded).isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
