package social.feed.ctl.load;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Measures how long after its answer the effects of a write are visible: one account posts until
 * the post is in the feed of the other (lane of effects), which likes it until the post counts the
 * like (lane of counts). Each measurement polls every twenty milliseconds, so it is exact to that.
 * The two accounts take no other part in the load, and their requests are not in its figures.
 */
final class LagProbe {
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ApiCalls api;
  private final String author;
  private final String reader;
  private final Lag effects = new Lag();
  private final Lag counts = new Lag();
  private volatile boolean stopped;
  private long failures;

  LagProbe(ApiCalls api, String author, String reader) {
    this.api = api;
    this.author = author;
    this.reader = reader;
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

    /** Returns how many writes had no visible effect in a minute, or until the end. */
    synchronized long unseenOnes() {
      return unseen;
    }
  }

  private interface Look {
    boolean isVisible() throws IOException, InterruptedException;
  }

  /** Registers both accounts; the reader follows the author. */
  void prepare() throws IOException, InterruptedException {
    for (var account : new String[] {author, reader}) {
      api.signIn(account);
      require(
          api.send(
              account,
              "POST",
              "/v1/users",
              "{\"handle\":\"%s\",\"display_name\":\"Probe\"}"
                  .formatted(ApiAccounts.handle(account))));
    }
    require(api.send(reader, "POST", "/v1/users/" + author + "/follow"));
    require(api.send(reader, "GET", "/v1/feed?limit=1"));
  }

  private static void require(ApiCalls.Answer answer) {
    if (!answer.isOk()) {
      throw new IllegalStateException("The accounts of the probe: " + answer.body());
    }
  }

  /** Measures until it is stopped, or fails ten times. */
  void run() {
    for (int i = 1; !stopped && failures < 10; i++) {
      try {
        measure(i);
      } catch (IOException e) {
        failures++;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      pause(PAUSE);
    }
  }

  private void measure(int number) throws IOException, InterruptedException {
    var posted = api.send(author, "POST", "/v1/posts", "{\"text\":\"Probe %d\"}".formatted(number));
    if (!posted.isOk()) {
      failures++;
      return;
    }
    var id = posted.id();
    var post = "/v1/posts/" + id;
    await(effects, () -> api.send(reader, "GET", "/v1/feed?limit=1").ids().contains(id));
    if (!stopped && api.send(reader, "POST", post + "/like").isOk()) {
      await(counts, () -> api.send(author, "GET", post).tree().path("likes_count").asLong() == 1);
    }
  }

  private void await(Lag lag, Look look) throws IOException, InterruptedException {
    long since = System.nanoTime();
    while (!look.isVisible()) {
      if (stopped || System.nanoTime() - since >= PATIENCE.toNanos()) {
        lag.unseen();
        return;
      }
      pause(POLL);
    }
    lag.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
  }

  private void pause(Duration time) {
    long until = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0 && !stopped; left = until - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(left, POLL.toNanos()));
    }
  }

  void stop() {
    stopped = true;
  }

  Lag effects() {
    return effects;
  }

  Lag counts() {
    return counts;
  }
}
