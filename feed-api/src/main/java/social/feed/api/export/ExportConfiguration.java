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
 */
@ConfigurationProperties("feed.export")
record ExportConfiguration(
    @Bindable(defaultValue = "2") int exports, @Bindable(defaultValue = "30s") Duration patience) {

  ExportConfiguration {
    if (exports < 0 || !patience.isPositive()) {
      throw new IllegalArgumentException(
          "feed.export: exports is not negative, patience is positive");
    }
  }
}
