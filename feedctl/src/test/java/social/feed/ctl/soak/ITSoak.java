package social.feed.ctl.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.ctl.Main;
import social.feed.ctl.MemoryFolder;
import social.feed.testkit.LongRunning;

/**
 * Kills processes of the platform repeatedly while writers send and retry requests and readers
 * follow their event streams. No acknowledged write may be lost, duplicated or miscounted. After
 * each kill of a process of the API the streams that it served must resume at the other one from
 * their last ids, and no stream may have a gap. Streams promise events only while the lanes keep
 * up, so writers pause while they do not, and the test fails where that is not enough. After the
 * first kill the platform has two processes each of the API and of the multiplexer. The long form:
 * {@code mvn -B -pl feedctl -am test -Dtest=ITSoak -Dsurefire.failIfNoSpecifiedTests=false
 * -Dsoak.kills=100}.
 */
@LongRunning
class ITSoak {
  private static final int KILLS = Integer.getInteger("soak.kills", 2);

  /** The number of acknowledged actions between two kills. */
  private static final int ACTIONS = Integer.getInteger("soak.actions", 30);

  private static final long SEED = Long.getLong("soak.seed", 42);

  /** Each writes one request after the other. */
  private static final int WRITERS = Integer.getInteger("soak.writers", 4);

  private static final int USERS = 6 * WRITERS;

  /** Authors whose posts two readers each receive as events. */
  private static final int AUTHORS = 2;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void killsUnderLoad_loseDuplicateAndMiscountNothing(
      @TempDir(factory = MemoryFolder.class) Path folder) throws Exception {
    try (var platform = KilledPlatform.start(folder)) {
      var client = new Client(platform);
      requirePlantedErrorsAreFound(platform, client);
      var ledger = new Ledger();
      var users = register(client, "p", USERS);
      var authors = register(client, "author", AUTHORS);
      var names = register(client, "reader", 2 * AUTHORS);
      var deliveries = Deliveries.of(client);
      try (var streams = Streams.start(platform, client, ledger, authors, names)) {
        write(client, ledger, deliveries, users, authors, streams);

        assertThat(ledger.actions()).isGreaterThanOrEqualTo((long) KILLS * ACTIONS);
        assertThat(verify(platform)).as("exit code of verify").isZero();
        var all = Stream.of(users, authors, streams.users());
        assertThat(new Judge(client, ledger).judge(all.flatMap(List::stream).toList()))
            .as("after the drain")
            .isEmpty();
        // Otherwise a gap below would be no error of the stream.
        assertThat(deliveries.longest())
            .as(
                "the longest delivery, while streams promise only what is delivered within this"
                    + " time")
            .isLessThan(Deliveries.PROMISED);
        assertThat(streams.differences(PATIENCE)).as("streams").isEmpty();
        requireForgetfulReaderIsFound(streams);
      }
      assertThat(platform.stop()).as("processes after the stop").isEmpty();
    }
  }

  /**
   * Proves that a reader which begins again after a kill, and does not resume, is found: at each
   * kill by its connections, and in the end by what it lacks. A server that ignores the last id
   * looks the same to its reader.
   */
  private static void requireForgetfulReaderIsFound(Streams streams) throws InterruptedException {
    assertThat(streams.faultsOfForgetful())
        .as("faults of the forgetful reader")
        .hasSize(streams.cutsOfForgetful())
        .isNotEmpty()
        .allMatch(fault -> fault.startsWith("forgetful resumed from ''"));
    assertThat(streams.missedByForgetful())
        .as("events that the forgetful reader lacks")
        .isNotEmpty();
  }

  /**
   * Proves that the judge finds differences, and that a stream which resumes from now and not from
   * the last id is found.
   */
  private static void requirePlantedErrorsAreFound(KilledPlatform platform, Client client)
      throws IOException, InterruptedException {
    var ledger = new Ledger();
    client.register("ann");
    client.register("bob");
    var before = LiveReader.start(client, "ann", "");
    before.close();
    var response = client.post("ann", "/v1/posts", "{\"text\":\"there\"}", "");
    var there = response.json().get("id").getStringValue();
    response = client.post("bob", "/v1/posts", "{\"text\":\"kept\"}", "");
    var kept = response.json().get("id").getStringValue();
    assertThat(verify(platform)).as("exit code of verify").isZero();
    try (var resumed = LiveReader.start(client, "ann", before.lastId());
        var forgetful = LiveReader.start(client, "ann", "")) {
      var events = Set.of("post " + there);
      assertThat(resumed.differences(events, PATIENCE)).isEmpty();
      assertThat(forgetful.differences(events, Duration.ZERO))
          .containsExactly("post " + there + " is missing from the stream of ann");
    }
    ledger.posted(new Ledger.Post(kept, "bob", ledger.begin()));
    ledger.liked(kept, "ann", true);
    ledger.commented(kept, "a comment");
    ledger.followed("bob", "ann");
    ledger.posted(new Ledger.Post("01ARZ3NDEKTSV4RRFFQ69G5FAV", "ann", ledger.begin()));
    ledger.deleted(there);

    assertThat(new Judge(client, ledger).judge(List.of("ann", "bob")))
        .containsExactlyInAnyOrder(
            "followers_count of ann is 0, not 1",
            "following_count of bob is 0, not 1",
            "post 01ARZ3NDEKTSV4RRFFQ69G5FAV is missing from the feed of ann",
            "post 01ARZ3NDEKTSV4RRFFQ69G5FAV is missing from the feed of bob",
            "post " + there + " should not be in the feed of ann",
            "likes_count of post " + kept + " is 0, not 1",
            "comments_count of post " + kept + " is 0, not 1",
            "post 01ARZ3NDEKTSV4RRFFQ69G5FAV of ann is lost",
            "post " + there + " exists after its deletion");
  }

  /** Runs verify, which waits until the stream is drained. */
  private static int verify(KilledPlatform platform) throws InterruptedException {
    platform.awaitAll();
    return Main.commandLine()
        .execute(
            "verify",
            "--endpoint",
            platform.dynamodb().toString(),
            "--url",
            platform.api().toString());
  }

  /** Registers users whose ids have a prefix, and returns the ids. */
  private static List<String> register(Client client, String prefix, int number) {
    var users = IntStream.range(0, number).mapToObj(i -> prefix + i).toList();
    users.forEach(client::register);
    return users;
  }

  private static void write(
      Client client,
      Ledger ledger,
      Deliveries deliveries,
      List<String> users,
      List<String> authors,
      Streams streams)
      throws IOException, InterruptedException, ExecutionException {
    var writers = new ArrayList<Writer>();
    var live = new ArrayList<LiveAuthor>();
    for (int i = 0; i < WRITERS; i++) {
      int number = i;
      var own =
          IntStream.range(0, USERS)
              .filter(p -> p % WRITERS == number)
              .mapToObj(users::get)
              .toList();
      writers.add(new Writer(client, ledger, deliveries, own, users, SEED + i));
    }
    for (var author : authors) {
      live.add(new LiveAuthor(client, ledger, deliveries, author, streams.readersOf(author)));
    }
    var running = new ArrayList<Future<?>>();
    try (var watching = Executors.newVirtualThreadPerTaskExecutor()) {
      var watch = watching.submit(deliveries);
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        writers.forEach(writer -> running.add(threads.submit(writer)));
        live.forEach(author -> running.add(threads.submit(author)));
        try {
          kill(ledger, deliveries, streams, live);
        } finally {
          writers.forEach(Writer::stop);
          live.forEach(LiveAuthor::stop);
        }
      } finally {
        deliveries.stop();
      }
      for (var each : running) {
        each.get();
      }
      watch.get();
    }
  }

  private static void kill(
      Ledger ledger, Deliveries deliveries, Streams streams, List<LiveAuthor> live)
      throws IOException, InterruptedException, ExecutionException {
    for (int kill = 1; kill <= KILLS; kill++) {
      long since = System.nanoTime();
      long before = ledger.actions();
      ledger.await(ACTIONS);
      double seconds = (System.nanoTime() - since) / 1e9;
      var victim = KilledPlatform.victim(kill - 1);
      long acted = ledger.actions() - before;
      streams.kill(victim, live);
      System.err.printf(
          "kill %d of %d, %s, after %,d more actions in %.1f s; posts took up to %,d ms, writers paused %,d ms%n",
          kill,
          KILLS,
          victim,
          acted,
          seconds,
          deliveries.longest().toMillis(),
          deliveries.paused().toMillis());
    }
    ledger.await(ACTIONS);
    streams.disconnect(live);
  }
}
