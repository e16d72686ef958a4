package social.feed.api.export;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * What exports may take.
 *
 * @param exports how many one process writes at the same time; each walks through the whole table
 * @param patience how long a client may take to make room for more before it is cut off; there is
 *     room while no more than 64 KB wait for its socket
 * @param waits how long an export waits for its client in all; the time to read the table is not in
 *     it
 * @param againAfter how long after the beginning of an export a process writes its caller no other
 */
@ConfigurationProperties("feed.export")
record ExportConfiguration(
    @Bindable(defaultValue = "2") int exports,
    @Bindable(defaultValue = "30s") Duration patience,
    @Bindable(defaultValue = "10m") Duration waits,
    @Bindable(defaultValue = "1h") Duration againAfter) {

  ExportConfiguration {
    if (exports < 0
        || !patience.isPositive()
        || waits.compareTo(patience) < 0
        || againAfter.isNegative()) {
      throw new IllegalArgumentException(
          "feed.export: exports and again-after are not negative, patience is positive, waits is at"
              + " least patience");
    }
  }
}
