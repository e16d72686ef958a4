package social.feed.streams;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.streams.effect.RemoveMediaAgainHandler.RemoveMediaAgain;
import social.feed.streams.effect.RemoveMediaHandler.RemoveMedia;
import social.feed.streams.effect.WakeErasureHandler.WakeErasure;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaFolder;
import social.feed.table.media.MediaOutcome;
import social.feed.table.media.MediaQuota;
import social.feed.table.media.MediaStore;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.Media;
import social.feed.table.row.MediaRemoval;
import social.feed.table.row.User;
import social.feed.testkit.SeedWorld.Person;

/** A store that fails for a while delays removals and erasures, and loses none. */
class ITMediaRemovals {
  private static final int FILES = 20;
  private static final int SWEEPS = 4;

  @TempDir private Path folder = Path.of("");
  private FailingStore store;
  private StreamHarness harness;
  private MediaFiles files;
  private Person ann;

  /** A folder that can be away. */
  private static final class FailingStore implements MediaStore {
    private final MediaStore folder;
    final AtomicInteger calls = new AtomicInteger();
    volatile Optional<Exception> failure = Optional.empty();

    FailingStore(Path folder) {
      this.folder = new MediaFolder(folder);
    }

    @Override
    public boolean write(String mediaId, String name, InputStream content, long limit)
        throws IOException {
      return folder.write(mediaId, name, content, limit);
    }

    @Override
    public Optional<InputStream> read(String mediaId, String name) throws IOException {
      return folder.read(mediaId, name);
    }

    @Override
    public void remove(String mediaId, String name) throws IOException {
      folder.remove(mediaId, name);
    }

    @Override
    public void removeAll(String mediaId) throws IOException {
      calls.incrementAndGet();
      var now = failure;
      if (now.isPresent()) {
        if (now.get() instanceof IOException e) {
          throw e;
        }
        throw new IllegalStateException(now.get());
      }
      folder.removeAll(mediaId);
    }

    @Override
    public Stream<String> mediaIds() throws IOException {
      return folder.mediaIds();
    }

    @Override
    public Set<String> names(String mediaId) throws IOException {
      return folder.names(mediaId);
    }
  }

  @BeforeEach
  void start() {
    store = new FailingStore(folder);
    harness = StreamHarness.startWith(store);
    files = new MediaFiles(harness.table.table());
    ann = harness.world.user("ann");
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  private static Exception away() {
    return new MediaStore.UnavailableException("away", new IOException("planted"));
  }

  private Media file(int number) throws IOException {
    var at = Timestamps.now(harness.table.clock());
    var id = TimeOrderedId.named(at, ann.id() + number);
    var media = new Media(id, ann.id(), "image/png", 9, "f00d", null, at, 3, 2, null);
    assertThat(files.reserve(media, new MediaQuota(99, 999))).isEqualTo(MediaOutcome.RESERVED);
    store.write(id, "original.png", new ByteArrayInputStream(new byte[9]), 9);
    return media;
  }

  private List<Media> files(int number) throws IOException {
    var made = new ArrayList<Media>();
    for (int i = 0; i < number; i++) {
      made.add(file(i));
    }
    return made;
  }

  private List<String> stored() throws IOException {
    try (var ids = store.mediaIds()) {
      return ids.toList();
    }
  }

  private List<MediaRemoval> removals() {
    return harness.rows().stream()
        .filter(MediaRemoval.class::isInstance)
        .map(MediaRemoval.class::cast)
        .toList();
  }

  private long count() {
    var account = harness.table.table().get(User.key(ann.id())).orElseThrow();
    return Long.parseLong(requireNonNull(account.get(User.MEDIA_COUNT)).n());
  }

  private ErasureStep step() {
    return new Erasures(harness.table.table(), harness.world.users)
        .of(ann.id())
        .orElseThrow()
        .step();
  }

  /** More sweeps than an erasure takes that has nothing to wait for. */
  private void sweep() {
    for (int i = 0; i < SWEEPS; i++) {
      harness.table.clock().advance(ErasureSweeps.MAX_PERIOD);
      var timer = ErasureTimer.ofSweep(0, Timestamps.now(harness.table.clock()));
      harness.handlers.apply(List.of(new WakeErasure(timer)));
      harness.drain();
    }
  }

  /** The store is away while the erasure walks the files, and for weeks. */
  @Test
  void erasure_waitsForTheStore_andLeavesNoObject() throws IOException {
    files(FILES);
    harness.drain();
    store.failure = Optional.of(away());

    new Erasures(harness.table.table(), harness.world.users)
        .begin(ann.id(), Timestamps.now(harness.table.clock()));
    harness.drain();
    sweep();
    harness.expireRemovals();
    sweep();

    assertThat(step()).isEqualTo(ErasureStep.RESTING);
    assertThat(stored()).hasSize(FILES);
    assertThat(harness.deadLetters).isEmpty();
    store.failure = Optional.empty();
    harness.table.clock().advance(Duration.ofMinutes(1));
    harness.expireRemovals();
    assertThat(stored()).isEmpty();
    sweep();
    assertThat(step()).isEqualTo(ErasureStep.ERASED);
    assertThat(removals()).isEmpty();
  }

  /** Without its timer nothing would ask the store again. */
  @Test
  void erasure_setsATimerThatWasLost() throws IOException {
    var media = file(1);
    harness.drain();
    store.failure = Optional.of(away());
    new Erasures(harness.table.table(), harness.world.users)
        .begin(ann.id(), Timestamps.now(harness.table.clock()));
    harness.drain();
    harness.table.table().delete(MediaRemoval.timerKey(media.mediaId()));

    sweep();

    assertThat(removals()).hasSize(2);
  }

  /** Each call of a store that is away takes seconds, in which feeds would wait. */
  @Test
  void storeThatDoesNotAnswer_isAskedOnceInHalfAMinute() throws IOException {
    var gone = files(FILES);
    store.failure = Optional.of(away());

    files.delete(gone.getFirst().mediaId(), ann.id());
    harness.drain();
    // At once with the first one they may ask, too.
    gone.stream().skip(1).forEach(media -> files.delete(media.mediaId(), ann.id()));
    harness.drain();

    assertThat(store.calls).hasValue(1);
    assertThat(count()).as("released at once").isZero();
    assertThat(removals()).hasSize(2 * FILES);
    store.failure = Optional.empty();
    harness.table.clock().advance(Duration.ofMinutes(1));
    harness.expireRemovals();
    assertThat(stored()).isEmpty();
    assertThat(count()).as("and once").isZero();
    assertThat(removals()).isEmpty();
  }

  @Test
  void anyFailureOfTheStore_isTriedAgainLater() throws IOException {
    int number = 0;
    for (var failure : List.of(new IOException("denied"), new Exception("unknown"))) {
      var media = file(number++);
      store.failure = Optional.of(failure);
      files.delete(media.mediaId(), ann.id());
      harness.drain();
      assertThat(stored()).containsExactly(media.mediaId());
      store.failure = Optional.empty();

      harness.expireRemovals();

      assertThat(stored()).isEmpty();
      assertThat(removals()).isEmpty();
    }
    assertThat(harness.deadLetters).isEmpty();
  }

  /** From ten minutes to ten hours. */
  @Test
  void attempts_areMoreAndMoreApart() throws IOException {
    var media = file(1);
    store.failure = Optional.of(away());
    files.delete(media.mediaId(), ann.id());
    harness.drain();
    var delays = new ArrayList<Long>();
    for (int i = 0; i < 9; i++) {
      var timer = removals().stream().filter(MediaRemoval::isTimer).findFirst().orElseThrow();
      delays.add(
          requireNonNull(timer.expiresAt()) - harness.table.clock().instant().getEpochSecond());
      harness.expireRemovals();
    }

    assertThat(delays)
        .containsExactlyElementsOf(
            IntStream.range(0, 9).mapToObj(i -> 600L << Math.min(i, 6)).toList());
  }

  /** An operator is needed once it is no outage of some hours. */
  @Test
  void removalThatFailsForMoreThanADay_isReportedAtEachFailure() throws IOException {
    var media = file(1);
    store.failure = Optional.of(new IOException("denied"));
    files.delete(media.mediaId(), ann.id());
    harness.drain();
    var waited = Duration.ZERO;
    while (harness.stuckRemovals.isEmpty()) {
      var timer = removals().stream().filter(MediaRemoval::isTimer).findFirst().orElseThrow();
      var due = Instant.ofEpochSecond(requireNonNull(timer.expiresAt()));
      waited = waited.plus(Duration.between(harness.table.clock().instant(), due));
      harness.expireRemovals();
    }
    harness.expireRemovals();

    assertThat(waited).isBetween(Duration.ofDays(1), Duration.ofDays(2));
    assertThat(harness.stuckRemovals)
        .extracting(MediaRemoval::mediaId, MediaRemoval::failures)
        .containsExactly(tuple(media.mediaId(), 9L), tuple(media.mediaId(), 10L));
    store.failure = Optional.empty();
    harness.expireRemovals();
    assertThat(removals()).isEmpty();
    assertThat(harness.stuckRemovals).hasSize(2);
  }

  /** An old record may come again long after the objects are gone and the account is erased. */
  @Test
  void attemptThatComesLate_notesNothing() throws IOException {
    var media = file(1);
    store.failure = Optional.of(away());
    files.delete(media.mediaId(), ann.id());
    harness.drain();
    var timer = removals().stream().filter(MediaRemoval::isTimer).findFirst().orElseThrow();
    store.failure = Optional.empty();
    harness.table.clock().advance(Duration.ofMinutes(1));
    harness.expireRemovals();
    store.failure = Optional.of(away());

    harness.handlers.apply(List.of(new RemoveMediaAgain(timer), new RemoveMediaAgain(timer)));

    assertThat(removals()).isEmpty();
  }

  @Test
  void removalAppliedAgain_afterAFailure_endsWithoutANote() throws IOException {
    var media = file(1);
    store.failure = Optional.of(away());
    files.delete(media.mediaId(), ann.id());
    harness.drain();
    harness.handlers.apply(List.of(new RemoveMedia(media)));
    assertThat(removals()).hasSize(2);
    store.failure = Optional.empty();
    harness.table.clock().advance(Duration.ofMinutes(1));

    harness.handlers.apply(List.of(new RemoveMedia(media)));
    harness.expireRemovals();

    assertThat(stored()).isEmpty();
    assertThat(removals()).isEmpty();
    assertThat(count()).isZero();
  }
}
