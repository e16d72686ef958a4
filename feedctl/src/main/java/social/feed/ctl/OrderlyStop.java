package social.feed.ctl;

import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import social.feed.local.PlatformParts;

/** Closes the platform in order on a signal, whether it is up or still starting. */
final class OrderlyStop {
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread hook;

  private OrderlyStop(PlatformParts parts, PrintWriter out) {
    this.hook = new Thread(() -> stop(parts, out), "stop");
  }

  static OrderlyStop onSignal(PlatformParts parts, PrintWriter out) {
    var stop = new OrderlyStop(parts, out);
    Runtime.getRuntime().addShutdownHook(stop.hook);
    return stop;
  }

  private void stop(PlatformParts parts, PrintWriter out) {
    print(out, "Stopping.");
    parts.close();
    print(out, "Stopped.");
    stopped.countDown();
  }

  private static void print(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }

  /** Waits until the platform is stopped. */
  void await() throws InterruptedException {
    stopped.await();
  }

  /** Returns whether this process is already stopping. If not, removes the hook. */
  boolean isUnderWay() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }
}
