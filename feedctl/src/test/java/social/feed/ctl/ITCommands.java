package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.engagement.Likes;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaFolder;
import social.feed.table.media.MediaOutcome;
import social.feed.table.media.MediaQuota;
import social.feed.table.media.MediaStore;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.Follow;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Like;
import social.feed.table.row.Media;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.User;
import social.feed.table.row.WaitingErasure;
import social.feed.table.user.Users;
import social.feed.testkit.SeedWorld;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Tests the output and the exit codes of the command line. */
class ITCommands {
  @TempDir private Path folder = Path.of("");
  private final VerifyWorld world = new VerifyWorld();
  private Path edges = Path.of("");

  @BeforeEach
  void write() throws IOException {
    edges = Files.writeString(folder.resolve("edges.txt"), "1 2\n2 1\n");
  }

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void importAndVerify_withoutProblems_exitWith0() {
    var imported = run("import", "--edges", edges.toString(), "--posts-per-user", "1");
    var verified = run("verify");

    assertThat(imported.code()).isZero();
    assertThat(imported.out()).contains("New: 2 accounts, 2 edges, 2 posts.");
    assertThat(verified.code()).isZero();
    assertThat(verified.out())
        .containsPattern("(?m)^%,d rows in \\d+\\.\\d s: no drift\\.$".formatted(rows()));
  }

  @Test
  void verify_withDrift_exitsWith1UntilItIsFixed() {
    run("import", "--edges", edges.toString());
    world.set(User.key("1"), User.POSTS_COUNT, AttributeValue.fromN("7"));

    var verified = run("verify");
    var fixed = run("verify", "--fix");

    assertThat(verified.code()).isEqualTo(1);
    assertThat(verified.out()).contains("1 drift.");
    assertThat(fixed.code()).isZero();
    assertThat(fixed.out())
        .containsPattern("posts_count +1 +1 +0")
        .contains("repaired, posts_count:", "posts_count is 7, but 0 were counted")
        .contains("1 repaired.");
    assertThat(run("verify").code()).isZero();
  }

  @Test
  void erasureThatWaitsForUnits_isShown_andItsClockIsStarted() {
    world.hold();
    var waiting = Erasure.of("9", Fault.now()).granted(200);
    world.plant(waiting);
    world.plant(WaitingErasure.of(waiting, 300));

    assertThat(run("erasure", "9").out())
        .contains("next: posts with 200 units granted, 0 sweeps finished.", "stands still");
    assertThat(run("erasure", "9", "--arm").out()).contains("It is started.");
    world.drain();
    assertThat(run("erasure", "9").out()).contains("next: resting, ").doesNotContain("units");
  }

  /** Its units were granted, so it does not wait, and the record of the grant did not arrive. */
  @Test
  void erasureWhoseOrderIsLost_isShown_andItsPartIsOrderedAgain() {
    world.hold();
    world.plant(Erasure.of("9", Fault.AT).granted(200));

    assertThat(run("erasure", "9").out())
        .contains("next: posts ", "The erasure has not gone on since " + Fault.AT);
    assertThat(run("erasure", "9", "--arm").out())
        .contains("The next part of the erasure is ordered again.");
    world.drain();
    assertThat(run("erasure", "9", "--arm").out())
        .contains("next: resting, ")
        .doesNotContain("ordered again");
  }

  @Test
  void erasure_isShownAndProven(@TempDir Path media) throws IOException {
    run("import", "--edges", edges.toString());
    var erasures = new Erasures(world.table(), new Users(world.table()));
    assertThat(run("erasure", "1"))
        .isEqualTo(new CommandRun(1, "No erasure of this account is recorded.%n".formatted(), ""));

    erasures.begin("1", Fault.now());
    world.drain();
    var resting = run("erasure", "1", "--prove");
    assertThat(resting.out())
        .contains(
            "next: resting, 0 sweeps finished.",
            "It waits for the first sweep of the table.",
            "1 rows name the account.");
    assertThat(resting.code()).as("the sweep removes the row of its month").isEqualTo(1);

    assertThat(resting.out()).doesNotContain("timer");
    world.steal(ErasureTimer.OF_SWEEP);
    assertThat(run("erasure", "1").out()).contains("The timer of the sweep is missing.");
    assertThat(run("verify").out())
        .contains("waits for a sweep of the table, but its timer is lost");
    assertThat(run("erasure", "1", "--arm").out()).contains("It is set again.");
    assertThat(run("erasure", "1", "--arm").out()).doesNotContain("timer");
    assertThat(run("verify").code()).isZero();

    var sweeps = new ErasureSweeps(world.table(), ErasureSweeps.Settings.unpaced());
    for (int sweep = 1; sweep <= 2; sweep++) {
      sweeps.wake(Fault.now().plus(ErasureSweeps.MAX_PERIOD.multipliedBy(sweep)));
      world.drain();
    }
    var erased = run("erasure", "1", "--prove");
    assertThat(erased.out())
        .contains(", erased 20", "2 sweeps finished.", "0 rows name the account.");
    assertThat(erased.code()).isZero();
    assertThat(erased.out()).contains("0 entries of the search index are of the account.");
    assertThat(ofAws("erasure", "1", "--prove", "--read-units", "1000").out())
        .contains(", erased 20", "0 rows name the account.", "No search index was asked.");
    var unknown = ofAws("erasure", "1", "--prove");
    assertThat(unknown.out()).contains("Not proven: the store of media is not known.");
    assertThat(unknown.code()).as("no claim without the store").isEqualTo(1);
    assertThat(ofAws("erasure", "1").code()).isZero();
    assertThat(ofAws("erasure", "1", "--prove", "--no-media"))
        .satisfies(
            said -> {
              assertThat(said.code()).isZero();
              assertThat(said.out()).contains("--no-media says that there is none.");
            });
    assertThat(ofAws("erasure", "1", "--prove", "--media", media.toString()).code()).isZero();
    assertThat(run("verify").code()).isZero();
    assertThat(run("erasure", "1", "--prove", "--media", media.toString()).code()).isZero();
    new MediaFolder(media)
        .write(
            TimeOrderedId.named(Instant.EPOCH, "stray"),
            "small.png",
            new ByteArrayInputStream(new byte[1]),
            1);
    assertThat(run("erasure", "1", "--prove", "--media", media.toString()).code())
        .as("a file is left")
        .isEqualTo(1);
  }

  /** A part of a removal may end at a row of the account. */
  @Test
  void orderThatNamesAnErasedAccount_isFoundByTheProof() {
    run("import", "--edges", edges.toString());
    new Erasures(world.table(), new Users(world.table())).begin("1", Fault.now());
    world.drain();
    var sweeps = new ErasureSweeps(world.table(), ErasureSweeps.Settings.unpaced());
    for (int sweep = 1; sweep <= 2; sweep++) {
      sweeps.wake(Fault.now().plus(ErasureSweeps.MAX_PERIOD.multipliedBy(sweep)));
      world.drain();
    }
    assertThat(ofAws("erasure", "1", "--prove", "--no-media").code()).isZero();
    var order =
        PostCleanUp.of("ghost", 1, PostCleanUp.Cause.DELETED, Like.key("ghost", "1"), Fault.now());
    world.hold();
    world.plant(order);

    assertThat(ofAws("erasure", "1", "--prove", "--no-media"))
        .satisfies(
            said -> {
              assertThat(said.code()).isEqualTo(1);
              assertThat(said.out()).contains(order.key().toString(), "1 rows name the account.");
            });
    world.drain();
    assertThat(ofAws("erasure", "1", "--prove", "--no-media").code()).isZero();
  }

  /** An object whose row is gone is of no account, so the proof of an erasure lists the store. */
  @Test
  void objectOfAFileWithoutARow_isFoundByTheProofAndByVerify(@TempDir Path media)
      throws IOException {
    run("import", "--edges", edges.toString());
    new Erasures(world.table(), new Users(world.table())).begin("1", Fault.now());
    world.drain();
    var store = new MediaFolder(media);
    String stray = TimeOrderedId.named(Instant.EPOCH, "stray");
    store.write(stray, "small.png", new ByteArrayInputStream(new byte[1]), 1);
    var folder = media.toString();

    assertThat(run("erasure", "1", "--prove").out()).contains("0 files in the store have no row.");
    assertThat(run("erasure", "1", "--prove", "--media", folder).out())
        .contains(stray, "1 files in the store have no row.");
    assertThat(run("verify").code()).isZero();
    assertThat(run("verify", "--media", folder).out())
        .contains("the store has objects of " + stray, ": 1 drift.");
    assertThat(run("verify", "--fix", "--media", folder).out()).contains("not removed, since");
    assertThat(store.mediaIds()).containsExactly(stray);
    String kept = TimeOrderedId.named(Instant.EPOCH, "kept");
    var pending =
        new Media(kept, "2", "image/png", 9, "f00d", null, Fault.now(), null, null, 4_000_000_000L);
    assertThat(new MediaFiles(world.table()).reserve(pending, new MediaQuota(9, 99)))
        .isEqualTo(MediaOutcome.RESERVED);
    store.write(kept, MediaStore.UPLOAD, new ByteArrayInputStream(new byte[1]), 1);
    assertThat(run("verify", "--fix", "--media", folder).code()).isZero();

    assertThat(store.mediaIds()).containsExactly(kept);
    assertThat(run("erasure", "1", "--prove", "--media", folder).out())
        .contains("0 files in the store have no row.");
  }

  /** A local platform says where its files are. */
  @Test
  void objectInTheFolderOfThePlatform_isFoundWithoutAnOption() throws IOException {
    run("import", "--edges", edges.toString());
    new Erasures(world.table(), new Users(world.table())).begin("1", Fault.now());
    world.drain();
    var folder = PlatformMedia.folder(world.platform().api()).orElseThrow().path();
    assertThat(folder).isAbsolute();
    String stray = TimeOrderedId.named(Instant.EPOCH, "stray");
    new MediaFolder(folder).write(stray, "small.png", new ByteArrayInputStream(new byte[1]), 1);

    assertThat(run("erasure", "1", "--prove").out())
        .contains(stray, "1 files in the store have no row.");
    assertThat(run("erasure", "1", "--prove", "--no-media").out()).doesNotContain(stray);
    var verified = run("verify");
    assertThat(verified.code()).isEqualTo(1);
    assertThat(verified.out()).contains("the store has objects of " + stray);
    assertThat(ofAws("verify", "--settle-seconds", "0").out())
        .contains("The bytes of files were not compared");
    new MediaFolder(folder).removeAll(stray);
    assertThat(run("verify").code()).isZero();
  }

  /** One of the two options names another platform. */
  @ParameterizedTest
  @ValueSource(
      strings = {"import --edges ", "verify --fix", "erasure 1 --prove --no-media", "reindex"})
  void commandOnTwoPlatforms_isRefused_andChangesNeither(String command) throws IOException {
    var arguments = command.replace("--edges ", "--edges " + edges).split(" ");
    try (var other = new VerifyWorld()) {
      var api = other.platform().api();
      var store = new MediaFolder(PlatformMedia.folder(api).orElseThrow().path());
      String image = TimeOrderedId.named(Instant.EPOCH, "image");
      store.write(image, "small.png", new ByteArrayInputStream(new byte[1]), 1);

      var refused = CommandRun.on(world.platform(), api, arguments);

      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err())
          .contains("has its table at %s, not at".formatted(other.platform().dynamodb()));
      assertThat(store.mediaIds()).containsExactly(image);
      assertThat(world.items()).isEmpty();
    }
  }

  /** The proof finds the rows that keep an erasure from finishing. */
  @Test
  void erasure_isNotProven_whileAStoredResponseOrAnUnreadableRowHasTheId() {
    run("import", "--edges", edges.toString());
    var later = Fault.now().plusSeconds(3_600).getEpochSecond();
    var response = new IdempotencyRecord("2", "k", "print", "x", 201, "{\"id\":\"1\"}", later);
    var follow = Follow.key("2", "1");
    world.table().putAll(List.of(response));
    world.remove(follow, Follow.CREATED_AT);
    new Erasures(world.table(), new Users(world.table())).begin("1", Fault.now());
    world.drain();

    var proof = run("erasure", "1", "--prove");

    assertThat(proof.code()).isEqualTo(1);
    assertThat(proof.out()).contains(response.key().toString(), follow.toString());
  }

  @Test
  void fix_ofAnUnreadableRow_exitsWith1() {
    run("import", "--edges", edges.toString());
    world.remove(User.key("1"), User.DISPLAY_NAME);

    var fixed = run("verify", "--fix");

    assertThat(fixed.code()).isEqualTo(1);
    assertThat(fixed.out()).contains("left, readable rows:", "User lacks display_name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://127.0.0.1:1", "localhost:8080", "nowhere"})
  void wrongUrl_isReportedBeforeAnythingIsWritten(String url) {
    var result =
        CommandRun.on(world.platform(), URI.create(url), "import", "--edges", edges.toString());

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("No platform answers at").contains("--url");
    assertThat(world.items()).isEmpty();
  }

  @Test
  void urlOfAnotherServer_isReportedBeforeAnythingIsWritten() {
    var result =
        CommandRun.on(
            world.platform(), world.platform().dynamodb(), "import", "--edges", edges.toString());

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("is no local platform");
    assertThat(world.items()).isEmpty();
  }

  /** As that of a shell's {@code <(zcat edges.gz)}, it can be read once. */
  @Test
  void edgesOfADevice_areRejectedBeforeAnythingIsWritten() {
    var result = run("import", "--edges", "/dev/null");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("/dev/null is a pipe or a device");
    assertThat(world.items()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1000000001"})
  void capOutOfBounds_isRejected(String cap) {
    var result = run("import", "--edges", edges.toString(), "--cap", cap);

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("--cap must be 1 to 1000000000, not " + cap);
    assertThat(world.items()).isEmpty();
  }

  @Test
  void verify_ofATableOfAws_needsNoPlatform_andLimitsItsRate() {
    run("import", "--edges", edges.toString(), "--posts-per-user", "1");
    world.set(User.key("1"), User.POSTS_COUNT, AttributeValue.fromN("7"));

    var drift = ofAws("verify", "--settle-seconds", "0", "--read-units", "1000");
    var fixed = ofAws("verify", "--settle-seconds", "0", "--read-units", "1000", "--fix");
    var clean = ofAws("verify", "--settle-seconds", "0");

    assertThat(drift.code()).isEqualTo(1);
    assertThat(drift.out()).contains("1 drift.");
    assertThat(fixed.code()).as(fixed.err()).isZero();
    assertThat(clean.code()).as(clean.err()).isZero();
  }

  private CommandRun ofAws(String... arguments) {
    return CommandRun.ofAws(world.platform().dynamodb(), arguments);
  }

  /** The lanes are held longer than the command waits. */
  @Test
  void fix_behindHeldLanes_exitsWith3_andCountsOnce() {
    run("import", "--edges", edges.toString(), "--posts-per-user", "1");
    world.hold();
    var post = world.postOf("1");
    new Likes(world.table()).add(new Like(post.postId(), "2", "1", Fault.now()));

    var fixed = ofAws("verify", "--settle-seconds", "0", "--fix");

    assertThat(fixed.code()).as(fixed.out()).isEqualTo(3);
    assertThat(fixed.out())
        .contains("1 not settled, not repaired", "within 10 s", "likes_count is 0");
    assertThat(run("verify", "--fix").out()).contains("0 repaired.", "no drift");
  }

  /** Waiting does not help with what else is left. */
  @Test
  void fix_behindHeldLanes_withOtherDrift_exitsWith1() {
    run("import", "--edges", edges.toString(), "--posts-per-user", "1");
    world.remove(Follow.key("2", "1"), Follow.CREATED_AT);
    world.hold();
    new Likes(world.table()).add(new Like(world.postOf("1").postId(), "2", "1", Fault.now()));

    var fixed = ofAws("verify", "--settle-seconds", "0", "--fix");

    assertThat(fixed.code()).as(fixed.out()).isEqualTo(1);
    assertThat(fixed.out()).contains(" not settled, not repaired", "left, readable rows:");
  }

  @Test
  void import_intoATableOfAws_isRejected() {
    var result = run("import", "--edges", edges.toString(), "--region", "us-east-1");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("needs a local platform");
    assertThat(world.items()).isEmpty();
  }

  /** A platform that was deployed with another half-life counts in other rows. */
  @Test
  void verify_ofAnotherHalfLife_checksItsOwnRows() {
    new SeedWorld(world.table(), Clock.systemUTC()).user("ann").posts("hello #sea");
    world.drain();
    assertThat(run("verify").code()).isZero();

    var drift = run("verify", "--trend-half-life-hours", "12");
    var fixed = run("verify", "--trend-half-life-hours", "12", "--fix");

    assertThat(drift.code()).isEqualTo(1);
    assertThat(drift.out()).contains("was used 0 times", "1 drift.");
    assertThat(fixed.code()).as(fixed.out()).isZero();
    assertThat(run("verify", "--trend-half-life-hours", "12").code()).isZero();
    assertThat(run("verify").code()).isZero();
    assertThat(run("verify", "--trend-half-life-hours", "0").err())
        .contains("1 to 168 whole hours");
  }

  @ParameterizedTest
  @CsvSource({
    "--read-units, 0",
    "--read-units, -1",
    "--settle-seconds, -1",
    "--settle-seconds, 93601"
  })
  void verify_withInvalidOptions_isRejected(String option, String value) {
    var result = run("verify", option, value);

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("--read-units must be more than 0");
  }

  @Test
  void erasure_withoutReadUnits_isRejected() {
    var result = run("erasure", "1", "--prove", "--read-units", "0");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("--read-units must be more than 0");
  }

  private int rows() {
    return world.items().size();
  }

  private CommandRun run(String... arguments) {
    return CommandRun.on(world.platform(), arguments);
  }
}
