package social.feed.api.edge.rate;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import org.jspecify.annotations.Nullable;

/**
 * How many requests one caller may send to one process of the API; n processes allow n times as
 * many.
 *
 * @param perSecond requests a second that a caller may go on sending
 * @param burst requests that may come at once after a pause
 * @param callers how many callers are remembered; beyond, those who were longest away start anew
 * @param addressHeader the header that the proxy in front appends the client's address to, e.g.
 *     {@code X-Forwarded-For}; without it the address is that of the connection
 */
@ConfigurationProperties("feed.limits.rate")
record RateConfiguration(
    @Bindable(defaultValue = "100") int perSecond,
    @Bindable(defaultValue = "200") int burst,
    @Bindable(defaultValue = "100000") int callers,
    @Nullable String addressHeader) {

  RateConfiguration {
    if (perSecond < 1 || burst < perSecond || callers < 1) {
      throw new IllegalArgumentException(
          "feed.limits.rate: per-second %d, burst %d (at least as many), callers %d"
              .formatted(perSecond, burst, callers));
    }
  }
}
