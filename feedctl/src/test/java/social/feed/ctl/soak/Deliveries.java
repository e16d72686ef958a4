package social.feed.ctl.soak;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Watches how long posts take until they are on the home page of a reader. A stream promises events
 * only while that is at most {@link #PROMISED}, so writers pause while a post takes longer than
 * {@link #PACED}.
 */
final class Deliveries implements Runnable {
  /** {@code feed.live.overlap}. */
  static final Duration PROMISED = Duration.ofMinutes(2);

  static final Duration PACED = Duration.ofSeconds(30);

  /** After this a post counts as lost, and the test ends. */
  static final Duration GIVEN_UP = Duration.ofMinutes(10);

  private static final Duration PAUSE = Duration.ofMillis(250);

  private final Function<String, Set<String>> pages;
  private final LongSupplier nanos;

  /** The posts that were not on the page yet. */
  private final Map<String, Sent> open = new HashMap<>();

  private Duration longest = Duration.ZERO;
  private Duration paused = Duration.ZERO;
  private boolean isStopped;

  private record Sent(String reader, long at) {}

  /**
   * @param pages reads the ids of the posts on the first page of a reader
   * @param nanos the time
   */
  Deliveries(Function<String, Set<String>> pages, LongSupplier nanos) {
    this.pages = pages;
    this.nanos = nanos;
  }

  static Deliveries of(Client client) {
    return new Deliveries(reader -> page(client, reader), System::nanoTime);
  }

  /** Returns the ids of the posts on the first page of a reader. */
  static Set<String> page(Client client, String reader) {
    var ids = new HashSet<String>();
    client
        .get(reader, "/v1/feed?limit=50")
        .json()
        .get("items")
        .values()
        .forEach(post -> ids.add(post.get("id").getStringValue()));
    return ids;
  }

  /**
   * Watches a post from now on.
   *
   * @param reader who must find it
   * @param sent when its request was sent: no later than the time that the post has
   */
  synchronized void posted(String postId, String reader, long sent) {
    open.put(postId, new Sent(reader, sent));
  }

  /** Looks until it is stopped and each post was found. */
  @Override
  public void run() {
    while (!isDone()) {
      look();
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private synchronized boolean isDone() {
    return isStopped && open.isEmpty();
  }

  /** Stops once each post was found. */
  synchronized void stop() {
    isStopped = true;
  }

  /** Looks once at the pages of the readers who have not got a post yet. */
  void look() {
    for (var reader : readers()) {
      var shown = pages.apply(reader);
      found(reader, shown);
    }
  }

  private synchronized Set<String> readers() {
    return open.values().stream().map(Sent::reader).collect(Collectors.toUnmodifiableSet());
  }

  private synchronized void found(String reader, Set<String> shown) {
    long now = nanos.getAsLong();
    open.values().stream()
        .filter(sent -> sent.reader.equals(reader))
        .map(sent -> Duration.ofNanos(now - sent.at))
        .filter(age -> age.compareTo(longest) > 0)
        .max(Duration::compareTo)
        .ifPresent(age -> longest = age);
    open.entrySet()
        .removeIf(post -> post.getValue().reader.equals(reader) && shown.contains(post.getKey()));
    var oldest = oldest(now);
    if (oldest.compareTo(GIVEN_UP) > 0) {
      throw new AssertionError("Not on the pages of their readers: " + open);
    }
  }

  private Duration oldest(long now) {
    return open.values().stream()
        .map(sent -> Duration.ofNanos(now - sent.at))
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  /** Returns whether a post has taken longer than writers may let it take. */
  synchronized boolean isBehind() {
    return oldest(nanos.getAsLong()).compareTo(PACED) > 0;
  }

  /** Waits a moment, which is counted. */
  void pause() {
    LockSupport.parkNanos(PAUSE.toNanos());
    synchronized (this) {
      paused = paused.plus(PAUSE);
    }
  }

  /** Returns the longest time that a post took, or has taken until now. */
  synchronized Duration longest() {
    var now = oldest(nanos.getAsLong());
    return now.compareTo(longest) > 0 ? now : longest;
  }

  /** Returns how long all writers together have waited. */
  synchronized Duration paused() {
    return paused;
  }
}
