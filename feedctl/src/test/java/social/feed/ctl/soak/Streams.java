package social.feed.ctl.soak;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Readers of event streams, on each process of the API, and what was wrong with how they resumed.
 * One more reader forgets the id of its last event, and its author writes a post before it connects
 * again: it must be found to lack that.
 */
final class Streams implements AutoCloseable {
  private static final String FORGETFUL = "forgetful";
  private static final Duration PAUSE = Duration.ofMillis(25);

  /** How often a post is written again, because it was received too soon. */
  private static final int TRIES = 3;

  private final KilledPlatform platform;
  private final Client client;
  private final Ledger ledger;
  private final List<String> authors;
  private final List<LiveReader> readers;
  private final LiveReader forgetful;
  private final List<String> faults = new ArrayList<>();
  private final List<String> faultsOfForgetful = new ArrayList<>();
  private int cutsOfForgetful;

  private Streams(
      KilledPlatform platform,
      Client client,
      Ledger ledger,
      List<String> authors,
      List<LiveReader> readers,
      LiveReader forgetful) {
    this.platform = platform;
    this.client = client;
    this.ledger = ledger;
    this.authors = authors;
    this.readers = readers;
    this.forgetful = forgetful;
  }

  /**
   * Starts the readers.
   *
   * @param authors each of them is followed by every so many readers
   * @param users the readers, who have accounts
   */
  static Streams start(
      KilledPlatform platform,
      Client client,
      Ledger ledger,
      List<String> authors,
      List<String> users)
      throws InterruptedException {
    var readers = new ArrayList<LiveReader>();
    for (var user : users) {
      client.follow(ledger, user, authors.get(readers.size() % authors.size()));
      readers.add(LiveReader.start(client, user, ""));
    }
    client.register(FORGETFUL);
    client.follow(ledger, FORGETFUL, authors.getLast());
    var forgetful = LiveReader.startForgetful(client, FORGETFUL);
    return new Streams(platform, client, ledger, authors, readers, forgetful);
  }

  /** Returns the users who read as they should and follow an author. */
  List<String> readersOf(String author) {
    return readers.stream()
        .map(LiveReader::user)
        .filter(reader -> ledger.followedBy(reader).containsKey(author))
        .toList();
  }

  /** Returns all users with a stream. */
  List<String> users() {
    return Stream.concat(readers.stream().map(LiveReader::user), Stream.of(FORGETFUL)).toList();
  }

  /**
   * Kills a process of the API or the whole platform while each author has a post that is on pages
   * and was not received yet. Before one of the API is killed, readers are connected to each.
   * Returns after each reader that was cut has every event until the kill. After the kill of a
   * multiplexer all readers disconnect by themselves.
   */
  void kill(String victim, List<LiveAuthor> writing)
      throws IOException, InterruptedException, ExecutionException {
    if (KilledPlatform.isMultiplexer(victim)) {
      writing.forEach(LiveAuthor::write);
      platform.kill(victim);
      disconnect();
      return;
    }
    var process = KilledPlatform.api(victim);
    if (process.isPresent()) {
      platform.awaitApis();
      for (int i = 0; i < readers.size(); i++) {
        readers.get(i).moveTo(i / authors.size());
      }
      forgetful.moveTo(process.getAsInt());
    }
    var survivors = platform.survivors(victim);
    var cuts = new ArrayList<Resumption>();
    writeUnread(writing);
    for (var reader : readers) {
      reader
          .cutBy(victim, survivors)
          .ifPresent(cut -> cuts.add(new Resumption(reader, cut, events(reader))));
    }
    var lost = forgetful.cutBy(victim, survivors);
    forgetful.hold();
    platform.kill(victim);
    awaitOnPage(writing.getLast().write());
    forgetful.release();
    int connected = process.isPresent() ? authors.size() : readers.size();
    if (cuts.size() != connected || lost.isEmpty()) {
      faults.add(
          "%d of %d readers, and the forgetful one %s, were connected when %s was killed"
              .formatted(cuts.size(), connected, lost.isPresent() ? "too" : "not", victim));
    }
    judge(cuts);
    if (lost.isPresent()) {
      forgetful.awaitNext(lost.get());
      faultsOfForgetful.addAll(lost.get().faults(forgetful.connections()));
      cutsOfForgetful++;
    }
  }

  /**
   * What a reader that is cut must do.
   *
   * @param events until the kill
   */
  private record Resumption(LiveReader reader, Cut cut, Set<String> events) {
    /** Gives the stream all of its time, which begins when it has resumed. */
    List<String> faults() throws InterruptedException {
      reader.awaitNext(cut);
      var faults = new ArrayList<>(cut.faults(reader.connections()));
      faults.addAll(reader.missing(events, Deliveries.PROMISED));
      return faults;
    }
  }

  /** Waits for all readers at once, so that none has the time that another one took. */
  private void judge(List<Resumption> cuts) throws InterruptedException, ExecutionException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var judging = cuts.stream().<Callable<List<String>>>map(cut -> cut::faults).toList();
      for (var found : threads.invokeAll(judging)) {
        faults.addAll(found.get());
      }
    }
  }

  /** Disconnects the readers between a post and its event. */
  void disconnect(List<LiveAuthor> writing) throws IOException, InterruptedException {
    writeUnread(writing);
    disconnect();
  }

  private void disconnect() throws IOException {
    for (var reader : readers) {
      reader.disconnect();
    }
  }

  /**
   * Lets each author write a post and waits until the last one is on pages, so that a stream which
   * begins then does not have it. Streams look for new events some seconds apart.
   */
  private void writeUnread(List<LiveAuthor> writing) {
    var last = "";
    for (int i = 0; i < TRIES && (last.isEmpty() || forgetful.has("post " + last)); i++) {
      for (var author : writing) {
        last = author.write();
      }
      awaitOnPage(last);
    }
  }

  private void awaitOnPage(String post) {
    long end = System.nanoTime() + Deliveries.PROMISED.toNanos();
    while (!Deliveries.page(client, FORGETFUL).contains(post)) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("post " + post + " is not on the page of " + FORGETFUL);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /**
   * Returns a sentence for each connection that did not resume as it should, and for each event
   * that is missing or came twice. All readers disconnect once more first.
   *
   * @param patience how long to wait for the last events
   */
  List<String> differences(Duration patience) throws IOException, InterruptedException {
    disconnect();
    var differences = new ArrayList<>(faults);
    for (var reader : readers) {
      differences.addAll(reader.differences(events(reader), patience));
    }
    return differences;
  }

  /** Returns how many connections of the forgetful reader were cut. */
  int cutsOfForgetful() {
    return cutsOfForgetful;
  }

  /** Returns what was found at these cuts. */
  List<String> faultsOfForgetful() {
    return faultsOfForgetful;
  }

  /** Returns a sentence for each event that the forgetful reader has missed. */
  List<String> missedByForgetful() throws InterruptedException {
    return forgetful.missing(
        posts(FORGETFUL).map(id -> "post " + id).collect(Collectors.toSet()), Duration.ZERO);
  }

  /** Returns the events that a reader must receive: each post of its author, with a mention. */
  private Set<String> events(LiveReader reader) {
    return posts(reader.user())
        .flatMap(id -> Stream.of("post " + id, "mention " + id))
        .collect(Collectors.toSet());
  }

  private Stream<String> posts(String user) {
    return ledger.followedBy(user).keySet().stream()
        .flatMap(author -> ledger.of(author).stream())
        .map(post -> post.id);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    forgetful.close();
    for (var reader : readers) {
      reader.close();
    }
  }
}
