package social.feed.api.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.problem.ProblemLog;
import social.feed.api.edge.rate.CallerRate;
import social.feed.api.edge.security.TestViewer;
import social.feed.api.edge.security.Viewer;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.Paged;
import social.feed.api.http.ServerOnly;
import social.feed.api.user.AccountLookup;
import social.feed.table.kernel.id.Sha256;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaRemovals;
import social.feed.table.media.MediaStore;
import social.feed.testkit.Polling;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** Uploading images, and what is refused. A function gets no uploads: it has no folder. */
@ServerOnly
@ExtendWith(FeedServerExtension.class)
class ITMedia {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String LIST = "/v1/users/me/media";
  private static final int LARGEST = 8_388_608;

  private final FeedServer server;
  private final SeedWorld world;
  private final Api ann;

  ITMedia(FeedServer server, SeedWorld world) {
    this.server = server;
    this.world = world;
    this.ann = server.as(world.user("ann"));
  }

  private static String announcement(String type, long bytes, String sha256) {
    return "{\"content_type\":\"%s\",\"bytes\":%d,\"sha256\":\"%s\",\"alt\":\"A cat\"}"
        .formatted(type, bytes, sha256);
  }

  private static Answer announce(Api api, String type, byte[] content) {
    return api.post("/v1/media", announcement(type, content.length, Sha256.hex(content)));
  }

  private static HttpResponse<byte[]> send(
      FeedServer server, String method, String address, BodyPublisher body) {
    var request = HttpRequest.newBuilder(server.uri().resolve(address)).method(method, body);
    try {
      return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpResponse<byte[]> put(String address, byte[] content) {
    return send(server, "PUT", address, BodyPublishers.ofByteArray(content));
  }

  private HttpResponse<byte[]> fetch(String address) {
    return send(server, "GET", address, BodyPublishers.noBody());
  }

  private static String complete(String id) {
    return "/v1/media/" + id + "/complete";
  }

  /** Uploads a file and returns the response to its completion. */
  private Answer uploaded(String type, byte[] content) {
    Answer announced = announce(ann, type, content);
    Expect.status(201, announced);
    assertThat(put(announced.at("address"), content).statusCode()).isEqualTo(204);
    return ann.post(complete(announced.at("id")));
  }

  /** The decoder would convert most of them. */
  @ParameterizedTest
  @ValueSource(strings = {"\"9\"", "true", "[9]", "9.5", "99999999999999999999", "1e400", "null"})
  void announcement_withASizeThatIsNoWholeNumber_isRefused(String bytes) {
    String body = announcement("image/png", 9, "0".repeat(64)).replace(":9,", ":" + bytes + ",");

    Expect.blames(400, "bytes", ann.post("/v1/media", body));
  }

  @ParameterizedTest
  @CsvSource({"image/jpeg, jpg", "image/png, png", "image/gif, gif"})
  void image_uploaded_isServedInThreeSizes(String type, String suffix) throws IOException {
    byte[] content =
        switch (suffix) {
          case "jpg" -> SampleImages.jpeg(1_600, 800);
          case "png" -> SampleImages.png(1_600, 800);
          default -> SampleImages.gif(1_600, 800);
        };

    Answer media = uploaded(type, content);

    Expect.status(200, media);
    assertThat(media.at("state")).isEqualTo("complete");
    assertThat(media.at("alt")).isEqualTo("A cat");
    assertThat(List.of(media.at("width"), media.at("height"))).containsExactly("1600", "800");
    for (var size : Map.of("original", 1_600, "medium", 1_080, "small", 320).entrySet()) {
      var file = fetch(media.at("files", size.getKey()));
      assertThat(file.statusCode()).isEqualTo(200);
      assertThat(file.headers().allValues("Content-Type")).containsExactly(type);
      assertThat(file.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
      assertThat(file.headers().firstValue("Content-Security-Policy"))
          .hasValue("default-src 'none'; sandbox");
      var image = ImageIO.read(new ByteArrayInputStream(file.body()));
      assertThat(image.getWidth()).isEqualTo(size.getValue());
      assertThat(image.getHeight()).isEqualTo(size.getValue() / 2);
    }
  }

  @Test
  void image_withExif_isTurnedAndLosesIt() throws IOException {
    byte[] content = SampleImages.jpegWithExif(40, 20, 6, "GPS of the photographer");

    Answer media = uploaded("image/jpeg", content);

    assertThat(List.of(media.at("width"), media.at("height"))).containsExactly("20", "40");
    byte[] original = fetch(media.at("files", "original")).body();
    assertThat(new String(original, StandardCharsets.ISO_8859_1))
        .doesNotContain("Exif")
        .doesNotContain("GPS of");
    // The red half was left, and a quarter turn clockwise brings it up.
    var image = ImageIO.read(new ByteArrayInputStream(original));
    assertThat(image.getRGB(10, 4) >> 16 & 0xff).isGreaterThan(200);
    assertThat(image.getRGB(10, 4) & 0xff).isLessThan(60);
  }

  @Test
  void image_withAppendedFile_losesIt() {
    byte[] content =
        SampleImages.joined(
            SampleImages.png(4, 3),
            "<script>alert(1)</script>".getBytes(StandardCharsets.US_ASCII));

    Answer media = uploaded("image/png", content);

    Expect.status(200, media);
    assertThat(new String(fetch(media.at("files", "original")).body(), StandardCharsets.ISO_8859_1))
        .doesNotContain("script");
  }

  @ParameterizedTest
  @EnumSource
  void hostileFile_completed_isRefused(HostileFile file) {
    Expect.problem(422, file.code(), uploaded(file.contentType(), file.content()));
  }

  @Test
  void hostileAnnouncement_isRefused() {
    String digest = "0".repeat(64);
    for (String type : List.of("image/svg+xml", "text/html", "image/webp", "")) {
      Expect.problem(400, "invalid_request", ann.post("/v1/media", announcement(type, 9, digest)));
    }
    Expect.problem(
        400, "invalid_request", ann.post("/v1/media", announcement("image/png", 0, digest)));
    Expect.problem(
        400, "invalid_request", ann.post("/v1/media", announcement("image/png", 9, "0f")));
    Expect.problem(
        422,
        "media_refused",
        ann.post("/v1/media", announcement("image/png", LARGEST + 1, digest)));
  }

  @Test
  void upload_ofOtherBytesThanAnnounced_isRefused() {
    byte[] content = SampleImages.png(40, 30);
    Answer announced = announce(ann, "image/png", content);
    String address = announced.at("address");
    String complete = complete(announced.at("id"));
    Expect.problem(409, "media_not_uploaded", ann.post(complete));

    byte[] shorter = Arrays.copyOf(content, content.length - 1);
    assertThat(put(address, shorter).statusCode()).isEqualTo(204);
    Expect.problem(422, "media_mismatch", ann.post(complete));

    byte[] other = content.clone();
    other[other.length - 1]++;
    assertThat(put(address, other).statusCode()).isEqualTo(204);
    Expect.problem(422, "media_mismatch", ann.post(complete));

    assertThat(put(address, SampleImages.joined(content, new byte[1])).statusCode()).isEqualTo(413);
    var unknownLength =
        BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[200_000]));
    assertThat(send(server, "PUT", address, unknownLength).statusCode()).isEqualTo(413);
    Expect.problem(422, "media_mismatch", ann.post(complete));

    assertThat(put(address, content).statusCode()).isEqualTo(204);
    Answer media = ann.post(complete);
    Expect.status(200, media);
    assertThat(ann.post(complete).text()).isEqualTo(media.text());
    assertThat(put(address, content).statusCode()).isEqualTo(404);
  }

  @Test
  void addresses_changed_areNotFound() {
    byte[] content = SampleImages.png(4, 3);
    Answer announced = announce(ann, "image/png", content);
    String other = announce(ann, "image/png", content).at("address");
    String upload = announced.at("address");
    String signature = other.substring(other.indexOf('?'));
    assertThat(put(upload.substring(0, upload.indexOf('?')) + signature, content).statusCode())
        .isEqualTo(404);
    assertThat(put(upload.substring(0, upload.indexOf('?')), content).statusCode()).isEqualTo(400);

    put(upload, content);
    Answer media = ann.post(complete(announced.at("id")));
    String small = media.at("files", "small");
    assertThat(fetch(small).statusCode()).isEqualTo(200);
    assertThat(fetch(small.replace("small", "original")).statusCode()).isEqualTo(404);
    assertThat(fetch(small.replace(".png", ".gif")).statusCode()).isEqualTo(404);
    assertThat(fetch(small + "A").statusCode()).isEqualTo(404);
    assertThat(fetch(small.replace("/files/", "/uploads/")).statusCode()).isIn(404, 405);
  }

  @Test
  void file_ofAnotherAccount_isNotFound() {
    String id = uploaded("image/png", SampleImages.png(4, 3)).at("id");
    Api bob = server.as(world.user("bob"));

    for (Answer answer :
        List.of(
            bob.get("/v1/media/" + id),
            bob.patch("/v1/media/" + id, "{\"alt\":\"x\"}"),
            bob.delete("/v1/media/" + id),
            bob.post(complete(id)))) {
      Expect.problem(404, "not_found", answer);
    }
    Expect.status(200, ann.get("/v1/media/" + id));
  }

  @Test
  void file_changedAndDeleted() {
    String id = uploaded("image/png", SampleImages.png(4, 3)).at("id");
    String path = "/v1/media/" + id;

    assertThat(ann.patch(path, "{\"alt\":\"A dog\"}").at("alt")).isEqualTo("A dog");
    assertThat(ann.get("/v1/users/me/media").text()).contains("\"alt\":\"A dog\"");
    Expect.status(204, ann.delete(path));
    Expect.problem(404, "not_found", ann.get(path));
    Expect.problem(404, "not_found", ann.delete(path));
    assertThat(ann.get("/v1/users/me/media").text()).isEqualTo("{\"items\":[]}");
  }

  @Test
  void list_inPages_isWhole_alsoBehindExpiredUploads() {
    Person owner = world.user("ann");
    var files = new UploadedFiles(server);
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      String id = files.file(owner, i % 2 == 0 ? null : 1L);
      if (i % 2 == 0) {
        shown.add(id);
      }
    }
    shown.sort(Comparator.reverseOrder());

    for (int size : List.of(1, 7, 29, 30, 50)) {
      assertThat(Paged.ids(ann, LIST, size)).containsExactlyElementsOf(shown);
    }
    Paged.rejectsInvalidParameters(
        ann, server.as(world.user("bob")), LIST, "/v1/users/me/likes", 50);
  }

  @Test
  void description_hasUpToAThousandCharacters() {
    String longest = "\ud83d\ude00".repeat(1_000);
    String path = "/v1/media/" + Expect.status(201, describes("")).at("id");
    assertThat(ann.get(path).text()).doesNotContain("\"alt\"");
    String described = Expect.status(201, describes(longest)).at("id");
    assertThat(ann.get("/v1/media/" + described).at("alt")).isEqualTo(longest);
    Expect.blames(422, "alt", describes(longest + "x"));

    assertThat(Expect.status(200, ann.patch(path, alt(longest))).at("alt")).isEqualTo(longest);
    Expect.blames(422, "alt", ann.patch(path, alt(longest + "x")));
    assertThat(ann.get(path).at("alt")).isEqualTo(longest);
    assertThat(Expect.status(200, ann.patch(path, alt(""))).text()).doesNotContain("\"alt\"");
    assertThat(ann.get(path).text()).doesNotContain("\"alt\"");
  }

  private static String alt(String text) {
    return "{\"alt\":\"" + text + "\"}";
  }

  private Answer describes(String text) {
    return ann.post(
        "/v1/media", announcement("image/png", 9, "0".repeat(64)).replace("A cat", text));
  }

  @Test
  void upload_ofTheLargestSize_isAccepted() {
    byte[] image = SampleImages.png(4, 3);
    byte[] content = SampleImages.joined(image, new byte[LARGEST - image.length]);

    assertThat(Expect.status(200, uploaded("image/png", content)).at("bytes"))
        .isEqualTo(String.valueOf(LARGEST));
  }

  @Test
  void quota_reached_refusesUntilItIsReleased() {
    withServer(
        Map.of("feed.media.quota-files", 2),
        other -> {
          Api one = other.as(other.world().user("one"));
          byte[] content = SampleImages.png(4, 3);
          String first = announce(one, "image/png", content).at("id");
          Expect.status(201, announce(one, "image/png", content));
          Expect.problem(422, "media_quota_reached", announce(one, "image/png", content));

          var files = new MediaFiles(other.table().table());
          var row = files.get(first).orElseThrow();
          Expect.status(204, one.delete("/v1/media/" + first));
          files.release(row, other.table().clock());

          Expect.status(201, announce(one, "image/png", content));
        });
  }

  /** TTL may delete their rows days later, and no list shows them. */
  @Test
  void quota_takenByAbandonedUploads_isReleasedByTheRefusal() {
    withServer(
        Map.of("feed.media.quota-files", 3, "feed.media.upload-within", "1ms"),
        other -> {
          Api one = other.as(other.world().user("one"));
          byte[] content = SampleImages.png(4, 3);
          var files = new MediaFiles(other.table().table());
          var complete = files.get(announce(one, "image/png", content).at("id")).orElseThrow();
          assertThat(files.complete(complete, 4, 3)).isPresent();
          var abandoned =
              Stream.generate(() -> announce(one, "image/png", content).at("id"))
                  .limit(2)
                  .map(id -> files.get(id).orElseThrow())
                  .toList();

          Answer refused = announce(one, "image/png", content);
          Expect.problem(422, "media_quota_reached", refused);
          assertThat(refused.at("detail")).contains("Try again");

          assertThat(files.get(complete.mediaId())).as("the complete one stays").isPresent();
          assertThat(abandoned).allMatch(file -> files.get(file.mediaId()).isEmpty());
          abandoned.forEach(file -> files.release(file, other.table().clock()));
          Expect.status(201, announce(one, "image/png", content));
        });
  }

  @Test
  void pendingUpload_expired_isNotFound() {
    withServer(
        Map.of("feed.media.upload-within", "1ms"),
        other -> {
          Api one = other.as(other.world().user("one"));
          byte[] content = SampleImages.png(4, 3);
          Answer announced = announce(one, "image/png", content);

          var answer =
              send(other, "PUT", announced.at("address"), BodyPublishers.ofByteArray(content));
          assertThat(answer.statusCode()).isEqualTo(404);
          Expect.problem(404, "not_found", one.post(complete(announced.at("id"))));
          assertThat(one.get("/v1/users/me/media").text()).isEqualTo("{\"items\":[]}");
        });
  }

  /** The row may be deleted while the bytes arrive; the stream has looked by then. */
  @Test
  void upload_ofADeletedFile_leavesNoObject() throws IOException {
    byte[] content = SampleImages.png(4, 3);
    Answer announced = announce(ann, "image/png", content);
    Expect.status(204, ann.delete("/v1/media/" + announced.at("id")));

    assertThat(put(announced.at("address"), content).statusCode()).isEqualTo(404);
    assertThat(server.bean(MediaStore.class).mediaIds()).doesNotContain(announced.at("id"));
  }

  @Test
  void upload_brokenOff_isNoDefect_andCanBeRepeated() throws IOException {
    MediaStore store = server.bean(MediaStore.class);
    byte[] content = SampleImages.png(40, 30);
    Answer announced = announce(ann, "image/png", content);
    String address = announced.at("address");
    try (var log = new ProblemLog()) {
      try (Socket socket = new Socket(server.uri().getHost(), server.uri().getPort())) {
        String begin = "PUT %s HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nx";
        socket
            .getOutputStream()
            .write(begin.formatted(address).getBytes(StandardCharsets.US_ASCII));
        Polling.until(() -> mediaIds(store).contains(announced.at("id")));
      }
      // Another upload is refused until the first one has ended.
      Polling.until(() -> put(address, content).statusCode() == 204);

      assertThat(log.of("PUT /media/uploads/"))
          .filteredOn(ILoggingEvent::getLevel, Level.ERROR)
          .isEmpty();
    }
  }

  @Test
  void upload_brokenOff_leavesNoObjectOfADeletedFile() throws IOException {
    MediaStore store = server.bean(MediaStore.class);
    Answer announced = announce(ann, "image/png", SampleImages.png(40, 30));
    String id = announced.at("id");
    try (Socket socket = new Socket(server.uri().getHost(), server.uri().getPort())) {
      String begin = "PUT %s HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nx";
      socket
          .getOutputStream()
          .write(begin.formatted(announced.at("address")).getBytes(StandardCharsets.US_ASCII));
      Polling.until(() -> mediaIds(store).contains(id));
      Expect.status(204, ann.delete("/v1/media/" + id));
    }

    Polling.until(() -> !mediaIds(store).contains(id));
  }

  @Test
  void uploadThatFails_leavesNoObjectOfADeletedFile() throws IOException {
    MediaStore store = server.bean(MediaStore.class);
    Answer announced = announce(ann, "image/png", SampleImages.png(40, 30));
    String id = announced.at("id");
    InputStream failing =
        new InputStream() {
          @Override
          public int read() {
            Expect.status(204, ann.delete("/v1/media/" + id));
            throw new IllegalStateException("planted");
          }

          @Override
          public int read(byte[] buffer, int offset, int length) {
            return read();
          }
        };

    assertThatThrownBy(
            () -> server.bean(MediaService.class).receive(id, world.user("ann").id(), failing))
        .isInstanceOf(ProblemException.class);

    assertThat(store.mediaIds()).doesNotContain(id);
  }

  /** The stream removes the folder of the file, and with it what the upload is about to rename. */
  @Test
  void uploadWhoseObjectsAreRemovedMeanwhile_isNotFound() throws IOException {
    MediaStore store = server.bean(MediaStore.class);
    byte[] content = SampleImages.png(40, 30);
    Answer announced = announce(ann, "image/png", content);
    String id = announced.at("id");
    InputStream removing =
        new FilterInputStream(new ByteArrayInputStream(content)) {
          @Override
          public int read(byte[] buffer, int offset, int length) throws IOException {
            int read = super.read(buffer, offset, length);
            if (read < 0) {
              Expect.status(204, ann.delete("/v1/media/" + id));
              store.removeAll(id);
            }
            return read;
          }
        };

    assertThatThrownBy(
            () -> server.bean(MediaService.class).receive(id, world.user("ann").id(), removing))
        .isInstanceOfSatisfying(
            ProblemException.class, e -> assertThat(e.code()).isEqualTo(ProblemCode.NOT_FOUND));

    assertThat(store.mediaIds()).doesNotContain(id);
  }

  /** Its digest is fixed, so it can never be accepted. */
  @Test
  void uploadThatIsRefused_isRemoved() throws IOException {
    HostileFile hostile = HostileFile.TRUNCATED_PNG;
    byte[] content = hostile.content();
    Answer announced = announce(ann, hostile.contentType(), content);
    put(announced.at("address"), content);
    MediaStore store = server.bean(MediaStore.class);
    assertThat(store.names(announced.at("id"))).containsExactly(MediaStore.UPLOAD);

    Expect.problem(422, hostile.code(), ann.post(complete(announced.at("id"))));

    assertThat(store.names(announced.at("id"))).isEmpty();
    Expect.problem(409, "media_not_uploaded", ann.post(complete(announced.at("id"))));
  }

  /** A service that counts what it reads from its store. */
  private MediaService service(AtomicInteger reads, int completions) {
    MediaStore store = server.bean(MediaStore.class);
    var counting =
        (MediaStore)
            Proxy.newProxyInstance(
                MediaStore.class.getClassLoader(),
                new Class<?>[] {MediaStore.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("read")) {
                    reads.incrementAndGet();
                  }
                  return method.invoke(store, arguments);
                });
    Duration hour = Duration.ofHours(1);
    return new MediaService(
        server.bean(MediaFiles.class),
        server.bean(MediaRemovals.class),
        counting,
        server.bean(MediaAddresses.class),
        server.bean(Images.class),
        server.bean(AccountLookup.class),
        new MediaConfiguration(
            null, null, null, null, 9_999, 9_999, completions, 9, 9_999, hour, hour),
        server.bean(CallerRate.class),
        InstantSource.system());
  }

  /** Those that wait would take memory otherwise. */
  @Test
  void uploadWithoutATurn_isNotRead() throws IOException {
    byte[] content = SampleImages.png(4, 3);
    Answer announced = announce(ann, "image/png", content);
    put(announced.at("address"), content);
    var reads = new AtomicInteger();
    Viewer viewer = TestViewer.of(world.user("ann").id(), server.table().table(), server.clock());

    assertThatThrownBy(() -> service(reads, 0).complete(viewer, announced.at("id")))
        .hasMessage("Other uploads wait to be completed");
    assertThat(reads).hasValue(0);

    assertThat(service(reads, 1).complete(viewer, announced.at("id")).state())
        .isEqualTo(MediaState.COMPLETE);
    assertThat(reads).hasValue(1);
  }

  private static Set<String> mediaIds(MediaStore store) {
    try {
      return store.mediaIds().collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Two processes share the folder, so each may find the upload gone that the other completed. */
  @Test
  void uploadCompletedTwiceAtOnce_isCompleteOrRefused() {
    byte[] content = SampleImages.png(400, 300);
    try (FeedServer other = FeedServer.start(Map.of())) {
      try (FeedServer another = other.another(Map.of())) {
        Person one = other.world().user("one");
        for (int round = 0; round < 5; round++) {
          Answer announced = announce(other.as(one), "image/png", content);
          var upload = BodyPublishers.ofByteArray(content);
          assertThat(send(other, "PUT", announced.at("address"), upload).statusCode())
              .isEqualTo(204);
          String path = complete(announced.at("id"));
          List<Answer> answers =
              Stream.of(other, another, other, another)
                  .parallel()
                  .map(process -> process.as(one).post(path))
                  .toList();
          assertThat(answers).extracting(Answer::status).isSubsetOf(200, 429).contains(200);
        }
      }
    }
  }

  /** The address of an upload needs no token. */
  @Test
  void uploads_countAsRequestsOfTheOwner() {
    withServer(
        Map.of("feed.limits.rate.per-second", 1, "feed.limits.rate.burst", 30),
        other -> {
          byte[] content = SampleImages.png(4, 3);
          Answer announced = announce(other.as(other.world().user("one")), "image/png", content);
          var statuses =
              IntStream.range(0, 30)
                  .mapToObj(
                      _ ->
                          send(
                                  other,
                                  "PUT",
                                  announced.at("address"),
                                  BodyPublishers.ofByteArray(content))
                              .statusCode())
                  .toList();
          assertThat(statuses).contains(204, 429).isSubsetOf(204, 429);
        });
  }

  private static void withServer(Map<String, Object> settings, Consumer<FeedServer> test) {
    try (FeedServer other = FeedServer.start(settings)) {
      test.accept(other);
    }
  }
}
