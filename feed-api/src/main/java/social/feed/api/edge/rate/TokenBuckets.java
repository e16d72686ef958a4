package social.feed.api.edge.rate;

import io.micronaut.http.HttpRequest;
import io.micronaut.scheduling.TaskExecutors;
import io.netty.util.internal.ThreadExecutorMap;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.cache.SharedCache;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.table.kernel.cost.ConsumedUnits;

/** The requests of recent callers. */
@Singleton
final class TokenBuckets {
  /** The attribute of a request with the {@link TokenBucket} that it counted in. */
  static final String ATTRIBUTE = TokenBucket.class.getName();

  private final RateConfiguration rate;
  private final Buckets buckets;

  /** For calls that would otherwise block an event loop. */
  private final Executor blocking;

  TokenBuckets(
      RateConfiguration rate,
      InstantSource clock,
      SharedCache shared,
      @Named(TaskExecutors.BLOCKING) Executor blocking) {
    this.rate = rate;
    this.buckets = new Buckets("requests", rate.refill(), rate.callers(), clock, shared);
    this.blocking = blocking;
  }

  /** A step of a filter. */
  @FunctionalInterface
  interface Step {
    /**
     * @param mayWait whether it may wait for the shared cache
     */
    void run(boolean mayWait);
  }

  /**
   * Runs a step of a filter: at once, or outside of the event loop where it may wait for the shared
   * cache. The filter goes on in the event loop, to which the body of the request belongs. A cache
   * that answers from now on is used from the next step on, since the loop must not wait for it.
   *
   * @return what the filter continues with, afterwards; null if the step is done
   */
  <T> @Nullable CompletionStage<@Nullable T> run(Step step, T next) {
    boolean isShared = buckets.isShared();
    @Nullable Executor loop = isShared ? ThreadExecutorMap.currentExecutor() : null;
    if (loop != null) {
      return CompletableFuture.runAsync(() -> step.run(true), blocking)
          .thenApply(_ -> next)
          .whenCompleteAsync((_, _) -> {}, loop);
    }
    step.run(isShared);
    return null;
  }

  /**
   * Counts a request of a caller, and stores the caller's bucket as an attribute of the request. A
   * change counts as several requests.
   *
   * @throws ProblemException {@code rate_limited}
   */
  void take(HttpRequest<?> request, String caller, boolean mayWait) {
    take(request, caller, requests(request), mayWait);
  }

  /**
   * Counts a request that was refused for its token, as one whatever it would have changed.
   *
   * @throws ProblemException {@code rate_limited}
   */
  void takeRefused(HttpRequest<?> request, String caller, boolean mayWait) {
    take(request, caller, 1, mayWait);
  }

  private void take(HttpRequest<?> request, String caller, int requests, boolean mayWait) {
    TokenBucket bucket =
        mayWait ? buckets.take(caller, requests) : buckets.takeOwn(caller, requests);
    request.setAttribute(ATTRIBUTE, bucket);
    require(bucket);
  }

  /**
   * Counts a change by a caller whom the request does not name. May wait for the shared cache.
   *
   * @throws ProblemException {@code rate_limited}
   */
  void takeChange(String caller) {
    require(buckets.take(caller, rate.requestsPerChange()));
  }

  private void require(TokenBucket bucket) {
    if (!bucket.isAdmitted()) {
      throw new ProblemException(
          ProblemCode.RATE_LIMITED,
          "More than %d requests a second, where a change counts as %d"
              .formatted(rate.perSecond(), rate.requestsPerChange()),
          bucket.untilNext(rate.refill()));
    }
  }

  /** A change without a token is an upload, which {@link #takeChange} charges to its owner. */
  private int requests(HttpRequest<?> request) {
    return request.getUserPrincipal().isEmpty() ? 1 : rate.requests(request.getMethod());
  }

  private double moreRequests(HttpRequest<?> request, ConsumedUnits units) {
    return rate.moreRequests(requests(request), units);
  }

  /** Whether a response consumed more units than its request covers. */
  boolean isCharged(HttpRequest<?> request, ConsumedUnits units) {
    return moreRequests(request, units) > 0;
  }

  /** Counts a response that {@link #isCharged} as more requests. */
  void charge(HttpRequest<?> request, String caller, ConsumedUnits units, boolean mayWait) {
    double more = moreRequests(request, units);
    var bucket = mayWait ? buckets.charge(caller, more) : buckets.chargeOwn(caller, more);
    request.setAttribute(ATTRIBUTE, bucket.orElse(null));
  }
}
