package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files from their upload until no byte of them is left. */
class ITMediaEndToEnd {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir private Path data;
  private LocalPlatform platform;

  @BeforeEach
  void start() {
    platform = LocalPlatform.start(PlatformSettings.in(data));
  }

  @AfterEach
  void stop() {
    platform.close();
  }

  private int send(String method, String address, BodyPublisher body) {
    var request = HttpRequest.newBuilder(platform.api().resolve(address)).method(method, body);
    try {
      return CLIENT.send(request.build(), BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private int get(JsonNode address) {
    return send("GET", address.asText(), BodyPublishers.noBody());
  }

  /** Uploads an image and returns it. */
  private JsonNode uploads(Caller caller) throws IOException, NoSuchAlgorithmException {
    var bytes = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(40, 30, BufferedImage.TYPE_INT_RGB), "png", bytes);
    var digest = MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
    var announced =
        caller
            .post(
                "/v1/media",
                "{\"content_type\":\"image/png\",\"bytes\":%d,\"sha256\":\"%s\"}"
                    .formatted(bytes.size(), HexFormat.of().formatHex(digest)))
            .body();
    var upload = BodyPublishers.ofByteArray(bytes.toByteArray());
    assertThat(send("PUT", announced.path("address").asText(), upload)).isEqualTo(204);
    return caller.post("/v1/media/" + announced.path("id").asText() + "/complete").body();
  }

  private List<Path> stored() throws IOException {
    var folder = data.resolve("media");
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (var files = Files.walk(folder)) {
      return files.filter(file -> !file.equals(folder)).toList();
    }
  }

  @Test
  void deletedFile_leavesNoObject() throws Exception {
    var ada = Caller.registered(platform.api(), "ada_m");
    var media = uploads(ada);
    assertThat(get(media.path("files").path("small"))).isEqualTo(200);
    assertThat(stored()).hasSize(4);

    ada.delete("/v1/media/" + media.path("id").asText());
    platform.drain(PATIENCE);

    assertThat(get(media.path("files").path("small"))).isEqualTo(404);
    assertThat(stored()).isEmpty();
  }

  @Test
  void deletedPost_leavesNoObject() throws Exception {
    var ada = Caller.registered(platform.api(), "ada_p");
    var shown = uploads(ada);
    var free = uploads(ada);
    var post =
        ada.post(
                "/v1/posts",
                "{\"text\":\"x\",\"media\":[\"%s\"]}".formatted(shown.path("id").asText()))
            .body();
    assertThat(get(post.path("media").path(0).path("files").path("medium"))).isEqualTo(200);

    ada.delete("/v1/posts/" + post.path("id").asText());
    platform.drain(PATIENCE);

    assertThat(get(shown.path("files").path("small"))).isEqualTo(404);
    assertThat(get(free.path("files").path("small"))).isEqualTo(200);
    assertThat(stored()).hasSize(4);
  }

  @Test
  void replacedOrRemovedPicture_leavesNoObject() throws Exception {
    var ada = Caller.registered(platform.api(), "ada_a");
    var first = uploads(ada);
    var second = uploads(ada);
    ada.patch("/v1/users/me", "{\"avatar\":\"%s\"}".formatted(first.path("id").asText()));
    var changed =
        ada.patch("/v1/users/me", "{\"avatar\":\"%s\"}".formatted(second.path("id").asText()));
    platform.drain(PATIENCE);

    assertThat(get(first.path("files").path("small"))).isEqualTo(404);
    assertThat(get(changed.body().path("avatar").path("files").path("small"))).isEqualTo(200);
    assertThat(stored()).hasSize(4);

    ada.patch("/v1/users/me", "{\"avatar\":null}");
    platform.drain(PATIENCE);
    assertThat(stored()).isEmpty();
  }

  @Test
  void erasedAccount_leavesNoObject() throws Exception {
    var ada = Caller.registered(platform.api(), "ada_e");
    var ben = Caller.registered(platform.api(), "ben_e");
    uploads(ada);
    var shown = uploads(ada).path("id").asText();
    ada.post("/v1/posts", "{\"text\":\"x\",\"media\":[\"" + shown + "\"]}");
    ada.patch("/v1/users/me", "{\"avatar\":\"%s\"}".formatted(uploads(ada).path("id").asText()));
    var kept = uploads(ben);

    assertThat(ada.delete("/v1/users/me").status()).isEqualTo(202);
    platform.drain(PATIENCE);

    assertThat(stored()).hasSize(4);
    assertThat(get(kept.path("files").path("original"))).isEqualTo(200);
  }
}
