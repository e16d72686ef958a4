package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.id.Sha256;
import social.feed.table.media.BucketSettings;
import social.feed.table.media.MediaBucket;
import social.feed.table.media.MediaStore;
import social.feed.table.row.Media;
import social.feed.testkit.Polling;
import social.feed.testkit.TestBucket;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;

/** The contract of stores, on a bucket, and what its signed addresses let a client do. */
@Tag(TestBucket.TAG)
class ITMediaBucket implements MediaStoreContract {
  private static final byte[] CONTENT = {1, 2, 3, 4};
  private static final Duration HOUR = Duration.ofHours(1);

  private static TestBucket bucket;
  private static HttpClient http;

  @BeforeAll
  static void open() {
    bucket = TestBucket.open();
    // As S3 speaks it. LocalStack ends connections that a client upgrades to HTTP/2.
    http = HttpClient.newBuilder().version(Version.HTTP_1_1).build();
  }

  @AfterAll
  static void close() {
    http.close();
    bucket.close();
  }

  @Override
  public MediaBucket store() {
    return bucket.store();
  }

  private static Media pending(byte[] content) {
    return new Media(
        MediaStoreContract.newId(),
        "ann",
        "image/png",
        content.length,
        Sha256.hex(content),
        null,
        Instant.EPOCH,
        null,
        null,
        1L);
  }

  private static int put(URI address, Map<String, String> headers, byte[] content) {
    var request = HttpRequest.newBuilder(address).PUT(BodyPublishers.ofByteArray(content));
    headers.forEach(request::header);
    return sent(request.build()).statusCode();
  }

  private static HttpResponse<byte[]> get(URI address) {
    return sent(HttpRequest.newBuilder(address).build());
  }

  private static HttpResponse<byte[]> sent(HttpRequest request) {
    try {
      return http.send(request, BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, String> with(Map<String, String> headers, String name, String value) {
    var changed = new HashMap<>(headers);
    changed.put(name, value);
    return changed;
  }

  @Test
  void upload_asSigned_isStored() throws IOException {
    var media = pending(CONTENT);
    var upload = store().signedUpload(media, HOUR);

    assertThat(put(upload.address(), upload.headers(), CONTENT)).isEqualTo(200);
    assertThat(put(upload.address(), upload.headers(), CONTENT)).isEqualTo(200);

    assertThat(store().names(media.mediaId())).containsExactly(MediaStore.UPLOAD);
    try (var stored = store().read(media.mediaId(), MediaStore.UPLOAD).orElseThrow()) {
      assertThat(stored.readAllBytes()).isEqualTo(CONTENT);
    }
  }

  @Test
  void upload_ofAnythingElse_isRefused() throws IOException {
    var media = pending(CONTENT);
    var upload = store().signedUpload(media, HOUR);
    var headers = upload.headers();
    byte[] other = {1, 2, 3, 5};
    byte[] longer = {1, 2, 3, 4, 5};
    var otherDigest = Base64.getEncoder().encodeToString(Sha256.of(other));
    var longerDigest = Base64.getEncoder().encodeToString(Sha256.of(longer));
    var checksum = "x-amz-checksum-sha256";
    var withoutChecksum = new HashMap<>(headers);
    withoutChecksum.remove(checksum);

    assertThat(put(upload.address(), headers, other)).as("other bytes").isEqualTo(400);
    assertThat(put(upload.address(), headers, longer)).as("more bytes").isEqualTo(403);
    assertThat(put(upload.address(), headers, new byte[3])).as("fewer bytes").isEqualTo(403);
    assertThat(put(upload.address(), with(headers, checksum, otherDigest), other))
        .as("another digest")
        .isEqualTo(403);
    assertThat(put(upload.address(), with(headers, checksum, longerDigest), longer))
        .as("more bytes with their digest")
        .isEqualTo(403);
    assertThat(put(upload.address(), withoutChecksum, other)).as("no digest").isEqualTo(403);
    assertThat(put(upload.address(), with(headers, "content-type", "text/html"), CONTENT))
        .as("another type")
        .isEqualTo(403);
    assertThat(
            put(
                changed(upload.address(), media.mediaId(), MediaStoreContract.newId()),
                headers,
                CONTENT))
        .as("another key")
        .isEqualTo(403);
    assertThat(get(upload.address()).statusCode()).as("a read").isEqualTo(403);

    assertThat(store().names(media.mediaId())).isEmpty();
  }

  private static URI changed(URI address, String part, String other) {
    assertThat(address.toString()).contains(part);
    return URI.create(address.toString().replace(part, other));
  }

  @Test
  void upload_afterItsTime_isRefused() throws IOException {
    var media = pending(CONTENT);
    var upload = store().signedUpload(media, Duration.ofSeconds(1));

    Polling.until(() -> put(upload.address(), upload.headers(), CONTENT) == 403);
    store().removeAll(media.mediaId());
    assertThat(put(upload.address(), upload.headers(), CONTENT)).isEqualTo(403);
    assertThat(store().names(media.mediaId())).isEmpty();
  }

  @Test
  void file_isServedAtItsSignedAddressOnly() throws IOException {
    var id = MediaStoreContract.newId();
    store().write(id, ORIGINAL, new ByteArrayInputStream(CONTENT), CONTENT.length);
    store().write(id, SMALL, new ByteArrayInputStream(CONTENT), CONTENT.length);
    var now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    var address = store().signedFile(id, SMALL, now, HOUR);

    var served = get(address);

    assertThat(served.statusCode()).isEqualTo(200);
    assertThat(served.body()).isEqualTo(CONTENT);
    assertThat(served.headers().allValues("Content-Type")).containsExactly("image/png");
    assertThat(served.headers().firstValue("Cache-Control"))
        .hasValue("private, immutable, max-age=600");
    assertThat(store().signedFile(id, SMALL, now, HOUR)).isEqualTo(address);
    assertThat(get(changed(address, SMALL, ORIGINAL)).statusCode()).isEqualTo(403);
    assertThat(get(changed(address, "X-Amz-Expires=3600", "X-Amz-Expires=36000")).statusCode())
        .isEqualTo(403);
    assertThat(put(address, Map.of(), CONTENT)).isEqualTo(403);
    var ended = store().signedFile(id, SMALL, now.minus(HOUR).minusSeconds(1), HOUR);
    assertThat(get(ended).statusCode()).isEqualTo(403);
    var absent = store().signedFile(id, "medium.png", now, HOUR);
    assertThat(get(absent).statusCode()).isEqualTo(404);
  }

  @Test
  void filesOfMoreThanAPage_areAllListed() throws IOException {
    var ids = Stream.generate(MediaStoreContract::newId).limit(1_030).toList();
    ids.parallelStream()
        .forEach(
            id -> {
              try {
                var name = ids.indexOf(id) < 15 ? ORIGINAL : MediaStore.UPLOAD;
                store().write(id, name, new ByteArrayInputStream(CONTENT), CONTENT.length);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });

    try (var listed = store().mediaIds()) {
      assertThat(
              listed.filter(ids::contains).sorted().toList().equals(ids.stream().sorted().toList()))
          .as("each is listed once")
          .isTrue();
    }
    // A page is enough for the first.
    try (var listed = store().mediaIds()) {
      assertThat(listed.limit(3)).hasSize(3);
    }
  }

  @Test
  void bucketThatIsAbsent_isAFailureAndNotAnEmptyStore() throws IOException {
    var there = bucket.settings();
    var absent =
        new BucketSettings("feed-absent", there.region(), there.endpoint(), there.callTimeout());
    try (var store = new MediaBucket(absent, AnonymousCredentialsProvider.create())) {
      var id = MediaStoreContract.newId();
      assertThatExceptionOfType(IOException.class).isThrownBy(() -> store.read(id, ORIGINAL));
      assertThatExceptionOfType(IOException.class).isThrownBy(() -> store.removeAll(id));
      assertThatExceptionOfType(UncheckedIOException.class)
          .isThrownBy(() -> store.mediaIds().toList());
    }
  }

  /** Another port has no server, so each call fails after its retries. */
  @Test
  void serverThatDoesNotAnswer_isUnavailable() {
    var there = bucket.settings();
    var nowhere =
        new BucketSettings(
            there.bucket(), there.region(), URI.create("http://127.0.0.1:9"), there.callTimeout());
    try (var store = new MediaBucket(nowhere, AnonymousCredentialsProvider.create())) {
      assertThatExceptionOfType(MediaStore.UnavailableException.class)
          .isThrownBy(() -> store.names(MediaStoreContract.newId()));
    }
  }

  /** The addresses of a page are signed one after the other. */
  @Test
  void manyAddresses_differ() {
    var id = MediaStoreContract.newId();
    assertThat(
            IntStream.range(0, 100)
                .mapToObj(i -> store().signedFile(id, "x" + i, Instant.EPOCH, HOUR)))
        .doesNotHaveDuplicates();
  }
}
