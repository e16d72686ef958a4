package social.feed.api.post;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import social.feed.testkit.fault.VirtualTime;

/** Callers that are actors of a virtual time. */
record VirtualWaiting(VirtualTime time) implements SharedReads.Waiting {
  @Override
  public long nanoTime() {
    return time.passed().toNanos();
  }

  @Override
  public void sleep(long nanos) {
    if (nanos > 0) {
      time.sleep(Duration.ofNanos(nanos));
    }
  }

  @Override
  public void until(CompletableFuture<?> ended) {
    if (!ended.isDone()) {
      var signal = time.new Signal();
      ended.whenComplete((_, _) -> signal.give());
      signal.await();
    }
  }
}
