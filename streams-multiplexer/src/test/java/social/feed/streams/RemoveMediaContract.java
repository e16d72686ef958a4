package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.effect.RemoveMediaHandler.RemoveMedia;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaOutcome;
import social.feed.table.media.MediaQuota;
import social.feed.table.media.MediaStore;
import social.feed.table.row.Media;
import social.feed.table.row.User;
import social.feed.testkit.SeedWorld.Person;

/** What the deletion of a file removes, and of nothing else. */
abstract class RemoveMediaContract {
  StreamHarness harness;
  MediaFiles files;
  Person ann;
  private MediaStore store;

  /** Returns the store of the multiplexer. */
  abstract MediaStore store();

  @BeforeEach
  void start() {
    store = store();
    harness = StreamHarness.startWith(store);
    files = new MediaFiles(harness.table.table());
    ann = harness.world.user("ann");
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  /** Announces a file and stores two objects of it. */
  final Media file(int number, @Nullable Long expiresAt) throws IOException {
    var at = Instant.parse("2026-03-01T12:00:00Z");
    var media =
        new Media(
            TimeOrderedId.named(at, ann.id() + number),
            ann.id(),
            "image/png",
            9,
            "f00d",
            null,
            at,
            3,
            2,
            expiresAt);
    assertThat(files.reserve(media, new MediaQuota(9, 99))).isEqualTo(MediaOutcome.RESERVED);
    for (var name : List.of("upload", "original.png")) {
      store.write(media.mediaId(), name, new ByteArrayInputStream(new byte[9]), 9);
    }
    return media;
  }

  final long number(String attribute) {
    var account = harness.table.table().get(User.key(ann.id())).orElseThrow();
    return Long.parseLong(Objects.requireNonNull(account.get(attribute)).n());
  }

  @Test
  void deletedFile_losesItsObjectsAndItsQuota() throws IOException {
    var gone = file(1, null);
    var stays = file(2, null);
    files.delete(gone.mediaId(), ann.id());
    harness.drain();

    assertThat(store.mediaIds()).contains(stays.mediaId()).doesNotContain(gone.mediaId());
    assertThat(number(User.MEDIA_COUNT)).isEqualTo(1);
    assertThat(number(User.MEDIA_BYTES)).isEqualTo(9);
  }

  @Test
  void effectAppliedAgain_changesNothing() throws IOException {
    var gone = file(1, 9L);
    var stays = file(2, null);
    files.delete(gone.mediaId(), ann.id());

    harness.handlers.apply(List.of(new RemoveMedia(gone), new RemoveMedia(gone)));
    harness.drain();
    harness.handlers.apply(List.of(new RemoveMedia(gone)));

    assertThat(store.mediaIds()).contains(stays.mediaId()).doesNotContain(gone.mediaId());
    assertThat(number(User.MEDIA_COUNT)).isEqualTo(1);
  }

  @Test
  void fileOfAnAccountThatIsGone_losesItsObjects() throws IOException {
    var media = file(1, null);
    harness.table.table().delete(User.key(ann.id()));
    files.delete(media.mediaId(), ann.id());
    harness.drain();

    assertThat(store.mediaIds()).doesNotContain(media.mediaId());
    assertThat(harness.table.table().get(User.key(ann.id()))).isEmpty();
  }

  @Test
  void filesOfADeletedPost_loseTheirObjects_andNoOthers() throws IOException {
    var shown = file(1, null);
    var free = file(2, null);
    var post = ann.draft("x").showing(List.of(shown.copy().orElseThrow()));
    assertThat(files.post(post)).isTrue();
    harness.drain();
    assertThat(store.mediaIds()).contains(shown.mediaId());

    ann.deletes(post);
    harness.drain();

    assertThat(files.get(shown.mediaId())).isEmpty();
    assertThat(store.mediaIds()).contains(free.mediaId()).doesNotContain(shown.mediaId());
    assertThat(number(User.MEDIA_COUNT)).isEqualTo(1);
  }

  @Test
  void erasedAccount_losesTheObjectsOfAllItsFiles_andNoOthers() throws IOException {
    var pending = file(1, 4_000_000_000L);
    var free = file(2, null);
    var shown = file(3, null);
    assertThat(files.post(ann.draft("x").showing(List.of(shown.copy().orElseThrow())))).isTrue();
    var gone = ann;
    ann = harness.world.user("bob");
    var ofBob = file(4, null);

    new Erasures(harness.table.table(), harness.world.users)
        .begin(gone.id(), harness.table.clock().instant());
    harness.drain();

    assertThat(store.mediaIds())
        .contains(ofBob.mediaId())
        .doesNotContain(pending.mediaId(), free.mediaId(), shown.mediaId());
    for (var media : List.of(pending, free, shown)) {
      assertThat(store.names(media.mediaId())).isEmpty();
    }
  }
}
