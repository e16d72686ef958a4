package social.feed.api.edge.rate;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.http.HttpMethod;
import jakarta.validation.constraints.Min;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.cost.ConsumedUnits;

/**
 * The request rate of one caller at all processes of the API that share a cache ({@code
 * feed.cache.url}). Without one each process counts on its own, and n processes allow n times as
 * many.
 *
 * @param perSecond requests a second that a caller may send continuously
 * @param burst requests that a caller may send at once after a pause
 * @param requestsPerChange how many requests a change counts as, i.e. any request but GET, HEAD and
 *     OPTIONS. What follows it behind the stream costs more than the request itself. By default a
 *     caller changes something ten times a second
 * @param unitsPerRequest the read and write units that one request covers; a response that consumed
 *     more counts as more requests
 * @param callers the number of callers in memory; beyond it the least recent ones start with a full
 *     burst again
 * @param addressHeader the header to which the proxy appends the client's address, e.g. {@code
 *     X-Forwarded-For}; without it the address of the connection counts
 */
@ConfigurationProperties("feed.limits.rate")
record RateConfiguration(
    @Bindable(defaultValue = "100") @Min(1) int perSecond,
    @Bindable(defaultValue = "200") int burst,
    @Bindable(defaultValue = "10") @Min(1) int requestsPerChange,
    @Bindable(defaultValue = "10") @Min(1) int unitsPerRequest,
    @Bindable(defaultValue = "100000") @Min(1) int callers,
    @Nullable String addressHeader) {

  private static final Set<HttpMethod> UNCHANGING =
      EnumSet.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

  /**
   * A debt is at most so many bursts. Requests that are sent at once are admitted before any of
   * them is charged, so a burst of those that cost 500 units each must not be forgiven.
   */
  private static final int BURSTS_OF_DEBT = 50;

  RateConfiguration {
    if (burst < perSecond) {
      throw new IllegalArgumentException(
          "feed.limits.rate.burst must be at least feed.limits.rate.per-second, %d, not %d"
              .formatted(perSecond, burst));
    }
  }

  /** Returns how many requests a request counts as, before it is known what it consumes. */
  int requests(HttpMethod method) {
    return UNCHANGING.contains(method) ? 1 : requestsPerChange;
  }

  /**
   * Returns how many requests a response counts as beyond those of its request. Fractions count.
   *
   * @param counted as how many requests the request counted
   */
  double moreRequests(int counted, ConsumedUnits units) {
    return Math.max(0, (units.read() + units.write()) / unitsPerRequest - counted);
  }

  Refill refill() {
    return new Refill(
        perSecond, burst, Math.clamp((long) BURSTS_OF_DEBT * burst, 0, Integer.MAX_VALUE));
  }
}
