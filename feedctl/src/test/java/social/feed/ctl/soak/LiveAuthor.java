package social.feed.ctl.soak;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Writes posts that mention readers, by itself and when it is asked to, at a pace at which a stream
 * promises each event: at most fifty events in two minutes.
 */
final class LiveAuthor implements Runnable {
  /** Posts that are written quickly, at the beginning. Each is two events. */
  private static final int QUICK = 6;

  private static final Duration QUICKLY = Duration.ofSeconds(1);
  private static final Duration SLOWLY = Duration.ofSeconds(10);

  /** Posts within {@link Deliveries#PROMISED}. */
  private static final int MOST = 24;

  private static final int CREATED = 201;

  private final Client client;
  private final Ledger ledger;
  private final Deliveries deliveries;
  private final String user;
  private final String mentions;

  /** Whose page is watched. */
  private final String reader;

  /** When the newest posts were written, the last one at the end. */
  private final Deque<Long> times = new ArrayDeque<>();

  private int number;
  private volatile boolean isStopped;
  private volatile Thread thread = Thread.currentThread();

  LiveAuthor(
      Client client, Ledger ledger, Deliveries deliveries, String user, List<String> readers) {
    this.client = client;
    this.ledger = ledger;
    this.deliveries = deliveries;
    this.user = user;
    this.reader = readers.getFirst();
    this.mentions =
        readers.stream().map(reader -> "@" + reader + "_x").collect(Collectors.joining(" "));
  }

  @Override
  public void run() {
    thread = Thread.currentThread();
    while (!isStopped) {
      long wait = untilNext();
      if (wait > 0) {
        LockSupport.parkNanos(wait);
      } else {
        write();
      }
    }
  }

  /** Returns the nanoseconds until the author writes by itself again. */
  private synchronized long untilNext() {
    return times.isEmpty()
        ? 0
        : times.getLast() + (number < QUICK ? QUICKLY : SLOWLY).toNanos() - System.nanoTime();
  }

  /** Waits while there are too many posts in the last two minutes. */
  private void keepPace() {
    while (times.size() >= MOST) {
      long left = times.getFirst() + Deliveries.PROMISED.toNanos() - System.nanoTime();
      if (left > 0) {
        LockSupport.parkNanos(left);
      } else {
        times.removeFirst();
      }
    }
    times.addLast(System.nanoTime());
  }

  /** Writes a post, and returns its id once it is acknowledged. */
  synchronized String write() {
    keepPace();
    number++;
    long begun = ledger.begin();
    long sent = System.nanoTime();
    var body = "{\"text\":\"live %d %s\"}".formatted(number, mentions);
    var response = client.post(user, "/v1/posts", body, user + "-" + number);
    if (response.status() != CREATED) {
      throw new AssertionError(response.status() + " " + response.text());
    }
    var id = response.json().get("id").getStringValue();
    ledger.posted(new Ledger.Post(id, user, begun));
    deliveries.posted(id, reader, sent);
    return id;
  }

  void stop() {
    isStopped = true;
    LockSupport.unpark(thread);
  }
}
