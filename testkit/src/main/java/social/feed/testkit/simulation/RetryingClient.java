package social.feed.testkit.simulation;

import java.util.function.Supplier;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.testkit.fault.CrashPoint.Crash;
import software.amazon.awssdk.core.exception.SdkException;

/** A client of the API that sends the same request until it is answered. */
final class RetryingClient {
  private static final int ENOUGH = 200;

  private RetryingClient() {}

  static <T> T until(Supplier<T> request, Runnable revive) {
    for (int attempt = 1; ; attempt++) {
      try {
        return request.get();
      } catch (SdkException | ThrottledException e) {
        if (attempt == ENOUGH) {
          throw e;
        }
      } catch (Crash e) {
        revive.run();
      }
    }
  }
}
