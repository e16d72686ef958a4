package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.User;

/** Files from their upload until no byte of them is left. */
class ITMediaEndToEnd {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

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

  private List<Path> stored() throws IOException {
    return StoredMedia.in(data);
  }

  @Test
  void deletedFile_leavesNoObject() throws Exception {
    var ada = Caller.registered(platform.api(), "ada_m");
    var media = ada.uploadsPicture();
    assertThat(ada.fetches(media.path("files").path("small"))).isEqualTo(200);
    assertThat(stored()).hasSize(4);

    ada.delete("/v1/media/" + media.path("id").asText());
    platform.drain(PATIENCE);

    assertThat(ada.fetches(media.path("files").path("small"))).isEqualTo(404);
    assertThat(stored()).isEmpty();
  }

  /** Time to live removes the row, at a time that is over for this sweep. */
  @Test
  void uploadThatExpires_leavesNoObject_andReleasesItsQuota() throws Exception {
    var ada = Caller.registered(platform.api(), "ada_x");
    var pending = ada.sendsPicture();
    var kept = ada.uploadsPicture();
    platform.drain(PATIENCE);
    assertThat(stored()).hasSize(2 + 4);
    assertThat(files(ada)).isEqualTo(2);

    var clock = Clock.offset(Clock.systemUTC(), Duration.ofHours(2));
    try (var sweep = new ExpirySweep(table(), clock, 1_000)) {
      assertThat(sweep.step()).isPositive();
    }
    platform.drain(PATIENCE);

    assertThat(stored()).hasSize(4);
    assertThat(ada.get("/v1/media/" + pending).status()).isEqualTo(404);
    assertThat(ada.fetches(kept.path("files").path("small"))).isEqualTo(200);
    assertThat(files(ada)).isEqualTo(1);
    assertThat(number(ada, User.MEDIA_BYTES)).isEqualTo(kept.path("bytes").asLong());
  }

  private Table table() {
    return new Table(platform.engine().directClient(), PlatformSettings.TABLE, Retry.standard());
  }

  /** The number of files that count for the quota. */
  private long files(Caller owner) {
    return number(owner, User.MEDIA_COUNT);
  }

  private long number(Caller owner, String attribute) {
    var account = table().get(User.key(owner.id())).orElseThrow();
    return Long.parseLong(Objects.requireNonNull(account.get(attribute)).n());
  }

  @Test
  void deletedPost_leavesNoObject() throws Exception {
    var ada = Caller.registered(platform.api(), "ada_p");
    var shown = ada.uploadsPicture();
    var free = ada.uploadsPicture();
    var post =
        ada.post(
                "/v1/posts",
                "{\"text\":\"x\",\"media\":[\"%s\"]}".formatted(shown.path("id").asText()))
            .body();
    assertThat(ada.fetches(post.path("media").path(0).path("files").path("medium"))).isEqualTo(200);

    ada.delete("/v1/posts/" + post.path("id").asText());
    platform.drain(PATIENCE);

    assertThat(ada.fetches(shown.path("files").path("small"))).isEqualTo(404);
    assertThat(ada.fetches(free.path("files").path("small"))).isEqualTo(200);
    assertThat(stored()).hasSize(4);
  }

  @Test
  void replacedOrRemovedPicture_leavesNoObject() throws Exception {
    var ada = Caller.registered(platform.api(), "ada_a");
    var first = ada.uploadsPicture();
    var second = ada.uploadsPicture();
    ada.patch("/v1/users/me", "{\"avatar\":\"%s\"}".formatted(first.path("id").asText()));
    var changed =
        ada.patch("/v1/users/me", "{\"avatar\":\"%s\"}".formatted(second.path("id").asText()));
    platform.drain(PATIENCE);

    assertThat(ada.fetches(first.path("files").path("small"))).isEqualTo(404);
    assertThat(ada.fetches(changed.body().path("avatar").path("files").path("small")))
        .isEqualTo(200);
    assertThat(stored()).hasSize(4);

    ada.patch("/v1/users/me", "{\"avatar\":null}");
    platform.drain(PATIENCE);
    assertThat(stored()).isEmpty();
  }

  @Test
  void erasedAccount_leavesNoObject() throws Exception {
    var ada = Caller.registered(platform.api(), "ada_e");
    var ben = Caller.registered(platform.api(), "ben_e");
    ada.uploadsPicture();
    var shown = ada.uploadsPicture().path("id").asText();
    ada.post("/v1/posts", "{\"text\":\"x\",\"media\":[\"" + shown + "\"]}");
    ada.patch(
        "/v1/users/me", "{\"avatar\":\"%s\"}".formatted(ada.uploadsPicture().path("id").asText()));
    var kept = ben.uploadsPicture();

    assertThat(ada.delete("/v1/users/me").status()).isEqualTo(202);
    platform.drain(PATIENCE);

    assertThat(stored()).hasSize(4);
    assertThat(ben.fetches(kept.path("files").path("original"))).isEqualTo(200);
  }

  /** Without a data folder the files are in a temporary one. */
  @Test
  void filesOfAPlatformInMemory_endWithIt() throws Exception {
    List<Path> folders;
    try (var inMemory = LocalPlatform.start(PlatformSettings.inMemory())) {
      var id = Caller.registered(inMemory.api(), "ada_t").uploadsPicture().path("id").asText();
      folders = temporaryFolders(id);
      assertThat(folders).hasSize(1);
    }
    assertThat(folders.getFirst()).doesNotExist();
  }

  private static List<Path> temporaryFolders(String mediaId) throws IOException {
    var temporary = Path.of(System.getProperty("java.io.tmpdir"));
    try (var folders = Files.newDirectoryStream(temporary, "feed-media-*")) {
      return StreamSupport.stream(folders.spliterator(), false)
          .filter(folder -> Files.exists(folder.resolve(mediaId)))
          .toList();
    }
  }
}
