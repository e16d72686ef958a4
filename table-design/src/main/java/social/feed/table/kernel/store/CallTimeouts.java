package social.feed.table.kernel.store;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;

/**
 * Limits the time of the calls of the SDK's clients. Each call schedules its timeout and cancels it
 * when it ends. The SDK's own scheduler keeps canceled timeouts, each with the thread of its call,
 * until their time: at a thousand pages a second, those of some ten thousand calls. The one here
 * forgets them at once, so that it holds no more than the calls in flight.
 *
 * <p>All clients of a process share one daemon thread, which only interrupts late calls. It ends
 * when no call was made for a while. A client that closes leaves nothing to close here.
 */
public final class CallTimeouts {
  private static final Duration IDLE = Duration.ofSeconds(30);

  private static final ScheduledThreadPoolExecutor SCHEDULER = scheduler();

  private CallTimeouts() {}

  /**
   * Limits the time of each call of a client.
   *
   * @param longest of a call with all its attempts; a call that takes longer fails
   */
  public static ClientOverrideConfiguration.Builder limit(
      ClientOverrideConfiguration.Builder client, Duration longest) {
    return client.apiCallTimeout(longest).scheduledExecutorService(SCHEDULER);
  }

  /** Returns how many timeouts are scheduled. */
  static int scheduled() {
    return SCHEDULER.getQueue().size();
  }

  private static ScheduledThreadPoolExecutor scheduler() {
    var scheduler =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("call-timeouts").daemon().factory());
    scheduler.setRemoveOnCancelPolicy(true);
    scheduler.setKeepAliveTime(IDLE.toSeconds(), TimeUnit.SECONDS);
    scheduler.allowCoreThreadTimeOut(true);
    return scheduler;
  }
}
