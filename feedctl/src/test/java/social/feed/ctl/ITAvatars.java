package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.ctl.RefusingApi.Refusal;
import social.feed.ctl.avatar.AvatarFolder;
import social.feed.ctl.avatar.AvatarImport;
import social.feed.ctl.avatar.AvatarResult;
import social.feed.ctl.graph.ImportProgress;
import social.feed.ctl.load.ApiCalls;
import social.feed.table.row.User;
import social.feed.table.user.Users;
import social.feed.testkit.LongRunning;

/** Imports avatars into the whole platform, hostile files among them. */
@LongRunning
class ITAvatars {
  private static final String SECRET = "50.1109N 8.6821E";
  private static final long TOO_LARGE = 9_000_000;

  @TempDir private Path folder = Path.of("");
  private Path avatars = Path.of("");
  private final VerifyWorld world = new VerifyWorld();
  private final ApiCalls api = new ApiCalls(world.platform().api(), Map.of());

  @BeforeEach
  void load() throws IOException {
    avatars = Files.createDirectory(folder.resolve("avatars"));
    world.load(folder, "1 2\n2 3\n3 1\n", 1, 5_000);
  }

  @AfterEach
  void stop() {
    api.close();
    world.close();
  }

  private static byte[] image(String format, int width) throws IOException {
    var bytes = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(width, 30, BufferedImage.TYPE_INT_RGB), format, bytes);
    return bytes.toByteArray();
  }

  /** Returns a JPEG with a comment and an Exif segment that contain a location. */
  private static byte[] located() throws IOException {
    var plain = image("jpeg", 40);
    var out = new ByteArrayOutputStream();
    out.write(plain, 0, 2);
    var exif = ("Exif\0\0II*\0\b\0\0\0\0\0\0\0\0\0" + SECRET).getBytes(StandardCharsets.ISO_8859_1);
    out.write(new byte[] {(byte) 0xff, (byte) 0xe1, 0, (byte) (exif.length + 2)});
    out.write(exif);
    var comment = SECRET.getBytes(StandardCharsets.ISO_8859_1);
    out.write(new byte[] {(byte) 0xff, (byte) 0xfe, 0, (byte) (comment.length + 2)});
    out.write(comment);
    out.write(plain, 2, plain.length - 2);
    return out.toByteArray();
  }

  private void write(String name, byte[] content) throws IOException {
    Files.write(avatars.resolve(name), content);
  }

  private AvatarResult run(ImportProgress progress) {
    return new AvatarImport(api, world.table(), progress).run(AvatarFolder.of(avatars));
  }

  private AvatarResult run() {
    return run(VerifyWorld.silent());
  }

  private User user(String id) {
    return new Users(world.table()).get(id).orElseThrow();
  }

  private JsonNode get(String account, String path) throws IOException, InterruptedException {
    api.signIn(account);
    return api.send(account, "GET", path).tree();
  }

  private String served(String address) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(world.platform().api().resolve(address)).build();
      var response = http.send(request, BodyHandlers.ofByteArray());
      assertThat(response.statusCode()).isEqualTo(200);
      return new String(response.body(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void images_areAvatarsWithoutTheirLocation_andARepeatChangesNothing() throws Exception {
    assertThat(new String(located(), StandardCharsets.ISO_8859_1)).contains(SECRET);
    write("1.jpg", located());
    write("2.PNG", image("png", 41));
    write(".DS_Store", new byte[] {1});

    var first = run();
    var before = user("1").avatar();
    var second = run();

    assertThat(first).isEqualTo(new AvatarResult(2, 0, first.refused()));
    assertThat(first.refused()).isEmpty();
    assertThat(second.set()).isZero();
    assertThat(second.kept()).isEqualTo(2);
    assertThat(user("1").avatar()).isEqualTo(before);
    assertThat(user("3").avatar()).isNull();
    var profile = get("2", "/v1/users/1");
    assertThat(profile.at("/avatar/width").asInt()).isEqualTo(40);
    assertThat(served(profile.at("/avatar/files/original").asText()))
        .startsWith("\u00ff\u00d8\u00ff")
        .doesNotContain(SECRET)
        .doesNotContain("Exif");
    assertThat(get("1", "/v1/users/me/media").path("items")).hasSize(1);
    world.drain();
    assertThat(world.verify().isClean()).as(world.verify().render()).isTrue();
  }

  @Test
  void hostileFiles_areRefusedWithTheirReason_andTheOthersAreSet() throws Exception {
    write("1.png", "<svg onload=\"x()\"/>".getBytes(StandardCharsets.UTF_8));
    write("2.jpg", image("png", 40));
    write("3.gif", image("gif", 40));
    write("3.png", image("png", 40));
    write("4.png", image("png", 40));
    write("1.svg", new byte[] {1});
    write("me.png", image("png", 40));
    write("a b.png", image("png", 40));
    Files.createDirectory(avatars.resolve("more.png"));
    Files.createSymbolicLink(avatars.resolve("link.png"), avatars.resolve("4.png"));

    var result = run();

    assertThat(result.set()).isEqualTo(1);
    assertThat(user("3").avatar()).isNotNull();
    assertThat(user("1").avatar()).isNull();
    assertThat(user("2").avatar()).isNull();
    assertThat(result.refused())
        .hasSize(9)
        .contains(
            "4 has no account",
            "more.png is no regular file",
            "link.png is no regular file",
            "3.png is the second image of 3",
            "1.svg has none of the endings .jpg, .jpeg, .png and .gif",
            "1.png: The content of the upload is not image/png (422 media_mismatch)",
            "2.jpg: The content of the upload is not image/jpeg (422 media_mismatch)")
        .anyMatch(sentence -> sentence.startsWith("me.png names no account: an id must have"))
        .anyMatch(sentence -> sentence.startsWith("a b.png names no account: an id must have"));
  }

  @Test
  void emptyAndTooLargeFile_areRefusedBeforeTheyAreSent() throws Exception {
    write("1.png", new byte[0]);
    try (var large = new RandomAccessFile(avatars.resolve("2.png").toFile(), "rw")) {
      large.setLength(TOO_LARGE);
    }

    assertThat(run().refused())
        .containsExactlyInAnyOrder(
            "1.png: The file is empty",
            "2.png: A file has at most 8388608 bytes (422 media_refused)");
  }

  /** The second run uses what the first has uploaded, so no account has two files. */
  @Test
  void stoppedImport_isCompletedByTheNext() throws Exception {
    for (var id : new String[] {"1", "2", "3"}) {
      write(id + ".png", image("png", 40 + Integer.parseInt(id)));
    }
    var steps = new AtomicInteger();
    ImportProgress stopping =
        (_, _) ->
            new ImportProgress.Step() {
              @Override
              public void advance(long done) {
                if (done > 0 && steps.incrementAndGet() == 1) {
                  throw new IllegalStateException("stopped");
                }
              }

              @Override
              public void close() {}
            };

    assertThatIllegalStateException().isThrownBy(() -> run(stopping)).withMessage("stopped");
    var second = run();

    assertThat(second.refused()).isEmpty();
    assertThat(second.set() + second.kept()).isEqualTo(3);
    for (int id = 1; id <= 3; id++) {
      var account = Integer.toString(id);
      assertThat(user(account).avatar()).as(account).isNotNull();
      assertThat(get(account, "/v1/users/me/media").path("items")).as(account).hasSize(1);
    }
  }

  /** An upload of an earlier run, of which nothing but the last step is missing. */
  @Test
  void uploadOfAnEarlierRun_isUsed_andADeletedOneIsSentAgain() throws Exception {
    write("1.png", image("png", 40));
    run();
    api.signIn("1");
    assertThat(api.send("1", "PATCH", "/v1/users/me", "{\"avatar\":null}").isOk()).isTrue();
    world.drain();
    assertThat(user("1").avatar()).isNull();

    assertThat(run().set()).isEqualTo(1);

    assertThat(get("1", "/v1/users/me/media").path("items")).hasSize(1);
  }

  /** Runs against an API that refuses some requests. */
  private AvatarResult runWith(Refusal refusal) throws IOException {
    try (var front = new RefusingApi(world.platform().api(), refusal);
        var calls = new ApiCalls(front.address(), Map.of())) {
      return new AvatarImport(calls, world.table(), VerifyWorld.silent())
          .run(AvatarFolder.of(avatars));
    }
  }

  private void writeThree() throws IOException {
    for (var id : List.of("1", "2", "3")) {
      write(id + ".png", image("png", 40));
    }
  }

  /** As the one of an account that is erased during the import. */
  @Test
  void accountThatIsGone_isReported_andTheOthersAreSet() throws Exception {
    writeThree();

    var result = runWith(new Refusal("2", "PATCH /v1/users/me", 404, "", Integer.MAX_VALUE));

    assertThat(result.set()).isEqualTo(2);
    assertThat(result.refused()).containsExactly("2.png: planted (404)");
    assertThat(user("1").avatar()).isNotNull();
    assertThat(user("3").avatar()).isNotNull();
  }

  /** The first request after the pause is accepted, as by a bucket that is filled again. */
  @ParameterizedTest
  @CsvSource({"429,1", "503,0", "503,''", "503,soon"})
  void platformThatIsBusy_isAskedAgainAfterThePauseThatItNames(int status, String retryAfter)
      throws Exception {
    writeThree();
    long began = System.nanoTime();

    var result = runWith(new Refusal("2", "POST /v1/media.*", status, retryAfter, 2));

    assertThat(result.set()).isEqualTo(3);
    assertThat(result.refused()).isEmpty();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(2));
  }

  /** A limit of one account is no limit of another one. */
  @Test
  void accountThatMustWaitForAnHour_isReported_andTheOthersAreSet() throws Exception {
    writeThree();

    var result = runWith(new Refusal("2", "POST /v1/media", 429, "3600", Integer.MAX_VALUE));

    assertThat(result.set()).isEqualTo(2);
    assertThat(result.refused()).containsExactly("2.png: planted (429)");
  }

  @Test
  void platformThatIsAwayForAnHour_orStoresNoImages_endsTheImport() throws Exception {
    write("2.png", image("png", 40));

    assertThatIllegalStateException()
        .isThrownBy(() -> runWith(new Refusal("2", "POST /v1/media", 503, "3600", 9)))
        .withMessageContaining("does not accept avatars now: HTTP 503");
    assertThatIllegalStateException()
        .isThrownBy(() -> runWith(new Refusal("2", "POST /v1/media", 404, "", 9)))
        .withMessageContaining("stores no images");
  }

  @Test
  void avatarOfTheAccount_isKept() throws Exception {
    write("1.png", image("png", 40));
    run();
    write("1.png", image("png", 77));

    assertThat(run()).isEqualTo(new AvatarResult(0, 1, run().refused()));

    assertThat(get("2", "/v1/users/1").at("/avatar/width").asInt()).isEqualTo(40);
  }

  @Test
  void command_printsWhatItSetAndWhatItRefused() throws Exception {
    write("1.png", image("png", 40));
    write("9.png", image("png", 40));
    var edges = Files.writeString(folder.resolve("edges.txt"), "1 2\n2 3\n3 1\n");
    var out = new StringWriter();
    var err = new StringWriter();
    var arguments =
        new String[] {
          "import",
          "--edges",
          edges.toString(),
          "--avatars",
          avatars.toString(),
          "--endpoint",
          world.platform().dynamodb().toString(),
          "--url",
          world.platform().api().toString()
        };

    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);

    assertThat(err.toString()).isEmpty();
    assertThat(code).isEqualTo(1);
    assertThat(out.toString())
        .contains("9 has no account", "Avatars: 1 set, 0 accounts had one, 1 files refused.");
    arguments[4] = folder.resolve("absent").toString();
    int wrong = Main.commandLine().setErr(new PrintWriter(err, true)).execute(arguments);
    assertThat(wrong).isEqualTo(2);
    assertThat(err.toString()).contains("Cannot read the folder");
  }

  @Test
  void manyAccounts_areSetAFewAtATime() throws Exception {
    var graph = new StringBuilder();
    for (int id = 10; id < 150; id++) {
      graph.append(id).append(" 1\n");
      write(id + ".png", image("png", id));
    }
    world.load(folder, graph.toString(), 0, 5_000);

    assertThat(run().set()).isEqualTo(140);

    assertThat(IntStream.range(10, 150).mapToObj(id -> user(Integer.toString(id)).avatar()))
        .doesNotContainNull();
  }
}
