package social.feed.ctl.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.ctl.Main;

/**
 * Writers who never give up, a platform that is killed again and again, and in the end nothing that
 * was answered is lost, doubled or miscounted. The long form: {@code mvn -B -pl feedctl -am verify
 * -Dtest=ITSoak -Dsurefire.failIfNoSpecifiedTests=false -Dsoak.kills=100 -Dsoak.deeds=500}.
 */
class ITSoak {
  private static final int KILLS = Integer.getInteger("soak.kills", 2);

  /** Deeds that are answered between two kills. */
  private static final int DEEDS = Integer.getInteger("soak.deeds", 150);

  private static final long SEED = Long.getLong("soak.seed", 42);
  private static final int WRITERS = 4;
  private static final int PEOPLE = 24;

  @Test
  void killsUnderLoad_loseDoubleAndMiscountNothing(
      @TempDir(factory = MemoryFolder.class) Path folder) throws Exception {
    try (var platform = KilledPlatform.start(folder)) {
      var client = new Client(platform);
      var ledger = new Ledger();
      var people = IntStream.range(0, PEOPLE).mapToObj(i -> "p" + i).toList();
      people.forEach(person -> register(client, person));

      write(platform, client, ledger, people);

      assertThat(ledger.deeds()).isGreaterThanOrEqualTo((long) KILLS * DEEDS);
      int verified = verify(platform);
      assertThat(new Judge(client, ledger).judge(people)).as("after the drain").isEmpty();
      assertThat(verified).as("exit code of verify").isZero();
    }
  }

  /** A judge who sees nothing would find nothing in a ledger that lies, either. */
  @Test
  void judge_ofALedgerThatLies_findsEachLie(@TempDir(factory = MemoryFolder.class) Path folder) {
    try (var platform = KilledPlatform.start(folder)) {
      var client = new Client(platform);
      var ledger = new Ledger();
      register(client, "ann");
      register(client, "bob");
      var answer = client.post("ann", "/v1/posts", "{\"text\":\"there\"}", "");
      var there = answer.json().get("id").getStringValue();
      assertThat(verify(platform)).as("exit code of verify").isZero();
      ledger.followed("bob", "ann");
      ledger.posted(new Ledger.Post("01ARZ3NDEKTSV4RRFFQ69G5FAV", "ann", ledger.begin()));
      ledger.deleted(there);

      assertThat(new Judge(client, ledger).judge(List.of("ann", "bob")))
          .containsExactlyInAnyOrder(
              "followers_count of ann is 0, not 1",
              "following_count of bob is 0, not 1",
              "post 01ARZ3NDEKTSV4RRFFQ69G5FAV is missing in the feed of ann",
              "post 01ARZ3NDEKTSV4RRFFQ69G5FAV is missing in the feed of bob",
              "post " + there + " should not be in the feed of ann",
              "post 01ARZ3NDEKTSV4RRFFQ69G5FAV of ann is lost",
              "post " + there + " came back");
    }
  }

  /** After the stream was read to its end. */
  private static int verify(KilledPlatform platform) {
    return Main.commandLine()
        .execute(
            "verify",
            "--endpoint",
            platform.dynamodb().toString(),
            "--url",
            platform.api().toString());
  }

  private static void register(Client client, String person) {
    client.enter(person);
    var body = "{\"handle\":\"%s_x\",\"display_name\":\"%s\"}".formatted(person, person);
    assertThat(client.post(person, "/v1/users", body, "").status()).isBetween(200, 201);
  }

  private static void write(
      KilledPlatform platform, Client client, Ledger ledger, List<String> people)
      throws InterruptedException, ExecutionException {
    var writers = new ArrayList<Writer>();
    var running = new ArrayList<Future<?>>();
    try (var threads = Executors.newFixedThreadPool(WRITERS)) {
      for (int i = 0; i < WRITERS; i++) {
        int number = i;
        var own =
            IntStream.range(0, PEOPLE)
                .filter(p -> p % WRITERS == number)
                .mapToObj(people::get)
                .toList();
        writers.add(new Writer(client, ledger, own, people, SEED + i));
      }
      writers.forEach(writer -> running.add(threads.submit(writer)));
      for (int kill = 1; kill <= KILLS; kill++) {
        ledger.await(DEEDS);
        platform.killAndRestart();
        System.err.printf("kill %d of %d after %,d deeds%n", kill, KILLS, ledger.deeds());
      }
      ledger.await(DEEDS);
      writers.forEach(Writer::stop);
    }
    for (var writer : running) {
      writer.get();
    }
  }
}
