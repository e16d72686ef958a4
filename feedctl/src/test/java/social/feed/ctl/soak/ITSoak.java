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
 * Kills the platform repeatedly while writers send and retry requests. No acknowledged write may be
 * lost, duplicated or miscounted. The long form: {@code mvn -B -pl feedctl -am test -Dtest=ITSoak
 * -Dsurefire.failIfNoSpecifiedTests=false -Dsoak.kills=100 -Dsoak.actions=500}.
 */
class ITSoak {
  private static final int KILLS = Integer.getInteger("soak.kills", 2);

  /** The number of acknowledged actions between two kills. */
  private static final int ACTIONS = Integer.getInteger("soak.actions", 150);

  private static final long SEED = Long.getLong("soak.seed", 42);
  private static final int WRITERS = 4;
  private static final int USERS = 24;

  @Test
  void killsUnderLoad_loseDuplicateAndMiscountNothing(
      @TempDir(factory = MemoryFolder.class) Path folder) throws Exception {
    try (var platform = KilledPlatform.start(folder)) {
      var client = new Client(platform);
      var ledger = new Ledger();
      var users = IntStream.range(0, USERS).mapToObj(i -> "p" + i).toList();
      users.forEach(user -> register(client, user));

      write(platform, client, ledger, users);

      assertThat(ledger.actions()).isGreaterThanOrEqualTo((long) KILLS * ACTIONS);
      int verified = verify(platform);
      assertThat(new Judge(client, ledger).judge(users)).as("after the drain").isEmpty();
      assertThat(verified).as("exit code of verify").isZero();
    }
  }

  /** Proves that the judge finds differences. */
  @Test
  void judge_ofAWrongLedger_findsEachError(@TempDir(factory = MemoryFolder.class) Path folder) {
    try (var platform = KilledPlatform.start(folder)) {
      var client = new Client(platform);
      var ledger = new Ledger();
      register(client, "ann");
      register(client, "bob");
      var response = client.post("ann", "/v1/posts", "{\"text\":\"there\"}", "");
      var there = response.json().get("id").getStringValue();
      assertThat(verify(platform)).as("exit code of verify").isZero();
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
              "post 01ARZ3NDEKTSV4RRFFQ69G5FAV of ann is lost",
              "post " + there + " exists after its deletion");
    }
  }

  /** Runs verify, which waits until the stream is drained. */
  private static int verify(KilledPlatform platform) {
    return Main.commandLine()
        .execute(
            "verify",
            "--endpoint",
            platform.dynamodb().toString(),
            "--url",
            platform.api().toString());
  }

  private static void register(Client client, String user) {
    client.signIn(user);
    var body = "{\"handle\":\"%s_x\",\"display_name\":\"%s\"}".formatted(user, user);
    assertThat(client.post(user, "/v1/users", body, "").status()).isBetween(200, 201);
  }

  private static void write(
      KilledPlatform platform, Client client, Ledger ledger, List<String> users)
      throws InterruptedException, ExecutionException {
    var writers = new ArrayList<Writer>();
    var running = new ArrayList<Future<?>>();
    try (var threads = Executors.newFixedThreadPool(WRITERS)) {
      for (int i = 0; i < WRITERS; i++) {
        int number = i;
        var own =
            IntStream.range(0, USERS)
                .filter(p -> p % WRITERS == number)
                .mapToObj(users::get)
                .toList();
        writers.add(new Writer(client, ledger, own, users, SEED + i));
      }
      writers.forEach(writer -> running.add(threads.submit(writer)));
      for (int kill = 1; kill <= KILLS; kill++) {
        ledger.await(ACTIONS);
        platform.killAndRestart();
        System.err.printf("kill %d of %d after %,d actions%n", kill, KILLS, ledger.actions());
      }
      ledger.await(ACTIONS);
      writers.forEach(Writer::stop);
    }
    for (var writer : running) {
      writer.get();
    }
  }
}
