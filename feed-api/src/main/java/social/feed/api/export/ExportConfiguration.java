package social.feed.api.export;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Duration;

/**
 * Limits of exports.
 *
 * @param exports maximum number of concurrent exports of a process; each reads all rows of an
 *     account
 * @param patience how long a client may block the next chunk before the server disconnects it; the
 *     next chunk is sent while at most 64 KB wait for the socket
 * @param waits how long an export waits for its client in total, without the time to read the table
 * @param againAfter how long after the start of an export a process rejects another one of the same
 *     caller; a minute after the end of one that the server broke off
 */
@ConfigurationProperties("feed.export")
record ExportConfiguration(
    @Bindable(defaultValue = "2") @Min(0) int exports,
    @Bindable(defaultValue = "30s") @Positive Duration patience,
    @Bindable(defaultValue = "10m") Duration waits,
    @Bindable(defaultValue = "1h") @PositiveOrZero Duration againAfter) {

  ExportConfiguration {
    if (waits.compareTo(patience) < 0) {
      throw new IllegalArgumentException(
          "feed.export.waits must be at least feed.export.patience, %s, not %s"
              .formatted(patience, waits));
    }
  }
}
