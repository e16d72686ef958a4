package social.feed.ctl.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;
import social.feed.table.kernel.cost.ConsumedUnits;

/**
 * Measures how long after its answer the effects of a write are visible: one account posts until
 * the post is in the feed of the other (lane of effects), which likes it until the post counts the
 * like (lane of counts). Each measurement polls every twenty milliseconds, so it is exact to that.
 * The two accounts take no other part in the load, and their requests are not in its figures. A
 * refusal because the platform limits them, or has too much to do, only delays the next
 * measurement, or the next look. Any other error is a failure, as is an answer that is no JSON,
 * such as that of a load balancer.
 */
final class LagProbe {
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The number of failed requests after which the lag is no longer measured. */
  static final int MOST_FAILURES = 10;

  /** How long the last measurement may take after the load was ended before its time. */
  private static final Duration PATIENCE_OF_CUT_OFF = Duration.ofSeconds(9);

  private final ApiCalls api;
  private final String author;
  private final String reader;
  private final Duration pause;
  private final Duration patience;
  private final Lag effects = new Lag();
  private final Lag counts = new Lag();
  private final Map<String, ConsumedUnits> units = new TreeMap<>();
  private volatile boolean stopped;
  private volatile boolean isCutOff;
  private volatile long cutOffAt;
  private final AtomicInteger failures = new AtomicInteger();

  LagProbe(ApiCalls api, String author, String reader) {
    this(api, author, reader, PAUSE, PATIENCE);
  }

  /**
   * @param pause between two measurements, and the least after a refusal
   * @param patience how long an effect is awaited
   */
  LagProbe(ApiCalls api, String author, String reader, Duration pause, Duration patience) {
    this.api = api;
    this.author = author;
    this.reader = reader;
    this.pause = pause;
    this.patience = patience;
  }

  /** The lags of one lane, in milliseconds. */
  static final class Lag {
    private final Histogram seen = new Histogram(3);
    private long latest = -1;
    private long unseen;

    private synchronized void add(long millis) {
      seen.recordValue(millis);
      latest = millis;
    }

    private synchronized void unseen() {
      unseen++;
    }

    synchronized Histogram seen() {
      return seen.copy();
    }

    /** Returns the newest lag, or -1 if there is none. */
    synchronized long latest() {
      return latest;
    }

    /** Returns how many writes had no visible effect in a minute. */
    synchronized long unseenOnes() {
      return unseen;
    }
  }

  /** Registers both accounts; the reader follows the author. */
  void prepare() throws IOException, InterruptedException {
    for (var account : List.of(author, reader)) {
      api.signIn(account);
      refuse(ApiAccounts.register(api, account, "Probe"));
    }
    require(() -> api.send(reader, "POST", "/v1/users/" + author + "/follow"));
    require(() -> api.send(reader, "GET", "/v1/feed?limit=1"));
  }

  private static void require(ApiCalls.Request request) throws IOException, InterruptedException {
    refuse(Optional.of(ApiCalls.patiently(request)).filter(answer -> !answer.isOk()));
  }

  private static void refuse(Optional<ApiCalls.Answer> error) {
    error.ifPresent(
        answer -> {
          throw new IllegalStateException("The accounts of the probe: " + answer.body());
        });
  }

  /** Measures until it is stopped, or fails ten times. */
  void run() {
    for (int i = 1; !stopped && !hasGivenUp(); i++) {
      try {
        measure(i).ifPresentOrElse(this::noteRefusal, () -> pause(pause));
      } catch (IOException | UncheckedIOException e) {
        fail();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void noteRefusal(ApiCalls.Answer refusal) {
    refusal.pause(pause).ifPresentOrElse(this::pause, this::fail);
  }

  private void fail() {
    failures.incrementAndGet();
    pause(pause);
  }

  /**
   * Measures once; the first time to its end, also if the load ends meanwhile.
   *
   * @return an answer that is an error, which ended the measurement
   */
  private Optional<ApiCalls.Answer> measure(int number) throws IOException, InterruptedException {
    var posted = send(author, "POST", "/v1/posts", "", "{\"text\":\"Probe %d\"}".formatted(number));
    if (!posted.isOk()) {
      return Optional.of(posted);
    }
    var id = posted.id();
    var unread =
        await(
            effects,
            () -> send(reader, "GET", "/v1/feed?limit=1", "", ""),
            feed -> feed.ids().contains(id));
    if (unread.isPresent() || stopped && counts.latest() >= 0) {
      return unread;
    }
    var liked = send(reader, "POST", "/v1/posts/{id}/like", id, "");
    if (!liked.isOk()) {
      return Optional.of(liked);
    }
    return await(
        counts,
        () -> send(author, "GET", "/v1/posts/{id}", id, ""),
        post -> post.tree().path("likes_count").asLong() == 1);
  }

  private ApiCalls.Answer send(String account, String method, String path, String id, String body)
      throws IOException, InterruptedException {
    var answer = api.send(account, method, path.replace("{id}", id), body);
    synchronized (units) {
      units.merge(
          method + " " + path.replaceFirst("[?].*", ""), answer.units(), ConsumedUnits::plus);
    }
    return answer;
  }

  /**
   * Waits for an effect, and adds how long it took, or that it was not visible in time. After a
   * refusal it looks again, so that a lag which is long because there is too much to do is not left
   * out. A measurement that is cut off adds nothing.
   *
   * @return an answer that is another error, whose body can be of any kind; then nothing is added
   */
  private Optional<ApiCalls.Answer> await(
      Lag lag, ApiCalls.Request look, Predicate<ApiCalls.Answer> effect)
      throws IOException, InterruptedException {
    long since = System.nanoTime();
    while (true) {
      boolean isLastLook = isLost(since);
      boolean isCut = hasBeenCutOff();
      var answer = look.send();
      var wait = answer.isOk() ? Optional.of(POLL) : answer.pause(pause);
      if (wait.isEmpty()) {
        return Optional.of(answer);
      }
      if (answer.isOk() && effect.test(answer)) {
        lag.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
        return Optional.empty();
      }
      if (isLastLook) {
        lag.unseen();
      }
      if (isLastLook || isCut) {
        return Optional.empty();
      }
      pauseWithin(since, wait.get());
    }
  }

  private boolean isLost(long since) {
    return System.nanoTime() - since >= patience.toNanos();
  }

  private boolean hasBeenCutOff() {
    return isCutOff && System.nanoTime() - cutOffAt >= PATIENCE_OF_CUT_OFF.toNanos();
  }

  /** Waits, but not beyond the end of the measurement. */
  private void pauseWithin(long since, Duration time) {
    long until = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos();
        left > 0 && !isLost(since) && !hasBeenCutOff();
        left = until - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(left, POLL.toNanos()));
    }
  }

  private void pause(Duration time) {
    long until = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0 && !stopped; left = until - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(left, POLL.toNanos()));
    }
  }

  /** Ends after the running measurement, which keeps its full time. */
  void stop() {
    stopped = true;
  }

  /** Ends after the running measurement, which has some seconds left. */
  synchronized void cutOff() {
    if (!isCutOff) {
      cutOffAt = System.nanoTime();
      isCutOff = true;
    }
    stopped = true;
  }

  /** Returns how many requests failed; each ended its measurement. */
  int failures() {
    return failures.get();
  }

  /** Returns whether it ended before it was stopped, as ten requests had failed. */
  private boolean hasGivenUp() {
    return failures() >= MOST_FAILURES;
  }

  /** Returns the units of the measurements so far, by route. */
  Map<String, ConsumedUnits> units() {
    synchronized (units) {
      return new TreeMap<>(units);
    }
  }

  Lag effects() {
    return effects;
  }

  Lag counts() {
    return counts;
  }
}
