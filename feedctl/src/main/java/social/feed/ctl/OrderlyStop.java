package social.feed.ctl;

import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import social.feed.local.PlatformParts;

/** Closes the platform in order when this process is told to end, be it up or still starting. */
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
    say(out, "Stopping.");
    parts.close();
    say(out, "Stopped.");
    stopped.countDown();
  }

  private static void say(PrintWriter out, String what) {
    out.println(what);
    out.flush();
  }

  /** Returns when the platform is stopped. */
  void await() throws InterruptedException {
    stopped.await();
  }

  /** Whether this process ends already. If not, nothing is left to do when it does. */
  boolean isUnderWay() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }
}
