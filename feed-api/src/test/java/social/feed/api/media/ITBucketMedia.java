package social.feed.api.media;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.table.kernel.id.Sha256;
import social.feed.table.media.MediaStore;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestBucket;

/**
 * Images in a bucket: clients send bytes to S3 and get them from there, and the API checks them.
 */
@Tag(TestBucket.TAG)
class ITBucketMedia {
  private static TestBucket bucket;
  private static FeedServer server;
  private static HttpClient client;

  private Api ann;
  private Api bob;

  @BeforeAll
  static void start() {
    bucket = TestBucket.open();
    server = FeedServer.start(new HashMap<>(bucket.properties()));
    // As S3 speaks it. LocalStack ends connections that a client upgrades to HTTP/2.
    client = HttpClient.newBuilder().version(Version.HTTP_1_1).build();
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
    bucket.close();
  }

  @BeforeEach
  void register() {
    SeedWorld world = server.world();
    ann = server.as(world.user("ann"));
    bob = server.as(world.user("bob"));
  }

  private static Answer announce(Api api, String type, byte[] content) {
    Answer announced =
        api.post(
            "/v1/media",
            "{\"content_type\":\"%s\",\"bytes\":%d,\"sha256\":\"%s\",\"alt\":\"A cat\"}"
                .formatted(type, content.length, Sha256.hex(content)));
    Expect.status(201, announced);
    return announced;
  }

  /** Sends bytes as the announcement says. */
  private static int put(Answer announced, byte[] content) {
    assertThat(announced.at("method")).isEqualTo("PUT");
    var request =
        HttpRequest.newBuilder(URI.create(announced.at("address")))
            .PUT(BodyPublishers.ofByteArray(content));
    for (String header : List.of("content-type", "x-amz-checksum-sha256")) {
      request.header(header, announced.at("headers", header));
    }
    return sent(request.build()).statusCode();
  }

  private static HttpResponse<byte[]> fetch(String address) {
    return sent(HttpRequest.newBuilder(URI.create(address)).build());
  }

  private static HttpResponse<byte[]> sent(HttpRequest request) {
    try {
      return client.send(request, BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String complete(Answer announced) {
    return "/v1/media/" + announced.at("id") + "/complete";
  }

  private Answer uploaded(String type, byte[] content) {
    Answer announced = announce(ann, type, content);
    assertThat(put(announced, content)).isEqualTo(200);
    return ann.post(complete(announced));
  }

  @ParameterizedTest
  @CsvSource({"image/jpeg, jpg", "image/png, png", "image/gif, gif"})
  void image_uploaded_isServedInThreeSizesByTheBucket(String type, String suffix)
      throws IOException {
    byte[] content =
        switch (suffix) {
          case "jpg" -> SampleImages.jpeg(1_600, 800);
          case "png" -> SampleImages.png(1_600, 800);
          default -> SampleImages.gif(1_600, 800);
        };

    Answer media = uploaded(type, content);

    Expect.status(200, media);
    assertThat(List.of(media.at("width"), media.at("height"))).containsExactly("1600", "800");
    for (var size : Map.of("original", 1_600, "medium", 1_080, "small", 320).entrySet()) {
      var file = fetch(media.at("files", size.getKey()));
      assertThat(file.statusCode()).isEqualTo(200);
      assertThat(file.headers().allValues("Content-Type")).containsExactly(type);
      assertThat(ImageIO.read(new ByteArrayInputStream(file.body())).getWidth())
          .isEqualTo(size.getValue());
    }
    assertThat(bucket.store().names(media.at("id")))
        .containsExactlyInAnyOrder("original." + suffix, "medium." + suffix, "small." + suffix);
  }

  @Test
  void image_withExif_losesIt_andItsUploadIsGone() throws IOException {
    byte[] content = SampleImages.jpegWithExif(40, 20, 6, "GPS of the photographer");

    Answer media = uploaded("image/jpeg", content);

    assertThat(List.of(media.at("width"), media.at("height"))).containsExactly("20", "40");
    byte[] original = fetch(media.at("files", "original")).body();
    assertThat(new String(original, StandardCharsets.ISO_8859_1))
        .doesNotContain("Exif")
        .doesNotContain("GPS of");
    assertThat(bucket.store().names(media.at("id"))).doesNotContain(MediaStore.UPLOAD);
  }

  @ParameterizedTest
  @EnumSource
  void hostileFile_completed_isRefused(HostileFile file) {
    Expect.problem(422, file.code(), uploaded(file.contentType(), file.content()));
  }

  /** S3 itself refuses what was not announced, so nothing of it is stored. */
  @Test
  void upload_ofOtherBytesThanAnnounced_isRefusedByTheBucket() throws IOException {
    byte[] content = SampleImages.png(40, 30);
    Answer announced = announce(ann, "image/png", content);
    Expect.problem(409, "media_not_uploaded", ann.post(complete(announced)));
    byte[] other = content.clone();
    other[other.length - 1]++;

    assertThat(put(announced, Arrays.copyOf(content, content.length - 1))).isEqualTo(403);
    assertThat(put(announced, SampleImages.joined(content, new byte[1]))).isEqualTo(403);
    assertThat(put(announced, other)).isEqualTo(400);

    assertThat(bucket.store().names(announced.at("id"))).isEmpty();
    Expect.problem(409, "media_not_uploaded", ann.post(complete(announced)));
    assertThat(put(announced, content)).isEqualTo(200);
    Answer media = ann.post(complete(announced));
    Expect.status(200, media);
    assertThat(ann.post(complete(announced)).text()).isEqualTo(media.text());
  }

  /** The API checks what is there, however it came there. */
  @Test
  void otherBytesInTheBucket_areRefused() throws IOException {
    byte[] content = SampleImages.png(40, 30);
    Answer announced = announce(ann, "image/png", content);
    byte[] other = content.clone();
    other[other.length - 1]++;
    bucket
        .store()
        .write(
            announced.at("id"), MediaStore.UPLOAD, new ByteArrayInputStream(other), other.length);

    Expect.problem(422, "media_mismatch", ann.post(complete(announced)));
  }

  /** LocalStack checks signatures and no rights, so it would serve an address without one. */
  @Test
  void addresses_areTheBucketsAndOfOneObject() {
    Answer media = uploaded("image/png", SampleImages.png(4, 3));
    String small = media.at("files", "small");

    assertThat(fetch(small).statusCode()).isEqualTo(200);
    assertThat(fetch(small + "0").statusCode()).isEqualTo(403);
    assertThat(fetch(small.replace("small", "original")).statusCode()).isEqualTo(403);
    assertThat(ann.get("/v1/media/" + media.at("id")).at("files", "small")).isEqualTo(small);
    Expect.problem(404, "not_found", ann.get("/media/files/" + media.at("id") + "/small.png"));
  }

  /** Addresses appear in answers to those who may see the post, and in no others. */
  @Test
  void imageOfAPost_hasAddressesForThoseWhoMaySeeIt() {
    Answer media = uploaded("image/png", SampleImages.png(4, 3));
    Answer post =
        ann.post("/v1/posts", "{\"text\":\"x\",\"media\":[\"%s\"]}".formatted(media.at("id")));
    Expect.status(201, post);
    String path = "/v1/posts/" + post.at("id");

    Answer seen = bob.get(path);
    Expect.status(200, seen);
    String address = seen.text().replaceAll("(?s).*\"small\":\"([^\"]+)\".*", "$1");
    assertThat(address).startsWith("http").contains("X-Amz-Signature");
    assertThat(fetch(address).statusCode()).isEqualTo(200);

    Expect.status(200, ann.patch(path, "{\"visibility\":\"private\"}"));
    Answer hidden = bob.get(path);
    Expect.problem(404, "not_found", hidden);
    assertThat(hidden.text()).doesNotContain("X-Amz");
  }

  @Test
  void avatar_isServedByTheBucket() {
    Answer media = uploaded("image/png", SampleImages.png(4, 3));
    Expect.status(200, ann.patch("/v1/users/me", "{\"avatar\":\"%s\"}".formatted(media.at("id"))));

    assertThat(fetch(ann.get("/v1/users/me").at("avatar", "files", "small")).statusCode())
        .isEqualTo(200);
  }

  /** A bucket that is away is not a defect of the API, and nothing is lost. */
  @Test
  void bucketThatDoesNotAnswer_isBusy() {
    Map<String, Object> nowhere = new HashMap<>(bucket.properties());
    nowhere.put("feed.media.endpoint", "http://127.0.0.1:9");
    byte[] content = SampleImages.png(4, 3);
    Answer announced = announce(ann, "image/png", content);
    assertThat(put(announced, content)).isEqualTo(200);
    try (FeedServer other = FeedServer.start(nowhere)) {
      Api one = other.as(other.world().user("one"));
      Answer there = announce(one, "image/png", content);

      Answer busy = one.post(complete(there));

      Expect.problem(503, "media_busy", busy);
      assertThat(busy.header("Retry-After")).hasValue("5");
    }
    Expect.status(200, ann.post(complete(announced)));
  }
}
