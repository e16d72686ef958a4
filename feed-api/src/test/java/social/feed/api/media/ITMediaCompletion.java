package social.feed.api.media;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.rate.CallerRate;
import social.feed.api.edge.security.TestViewer;
import social.feed.api.edge.security.Viewer;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.ServerOnly;
import social.feed.api.user.AccountLookup;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaRemovals;
import social.feed.table.media.MediaStore;
import social.feed.table.row.MediaRemoval;
import social.feed.testkit.SeedWorld;

/** What happens to a file while its upload is completed. */
@ServerOnly
@ExtendWith(FeedServerExtension.class)
class ITMediaCompletion {
  private static final String NONE = "";
  private static final Duration HOUR = Duration.ofHours(1);
  private static final MediaConfiguration CONFIGURATION =
      new MediaConfiguration(null, null, null, null, 9_999, 9_999, 1, 9, 9_999, HOUR, HOUR);

  private Consumer<String> beforeCall = _ -> {};

  private final FeedServer server;
  private final String owner;

  ITMediaCompletion(FeedServer server, SeedWorld world) {
    this.server = server;
    this.owner = world.user("ann").id();
  }

  /**
   * A service that calls this before each image that it writes.
   *
   * @param failing the method of its store that fails
   */
  private MediaService service(Runnable beforeEach, String failing) {
    return service(beforeEach, failing, server.bean(Images.class));
  }

  private MediaService service(Runnable beforeEach, String failing, Images images) {
    MediaStore store = store();
    var watched =
        (MediaStore)
            Proxy.newProxyInstance(
                MediaStore.class.getClassLoader(),
                new Class<?>[] {MediaStore.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("write")) {
                    beforeEach.run();
                  }
                  beforeCall.accept(method.getName());
                  if (method.getName().equals(failing)) {
                    throw new MediaStore.UnavailableException("away", new IOException("planted"));
                  }
                  try {
                    return method.invoke(store, arguments);
                  } catch (InvocationTargetException e) {
                    throw requireNonNull(e.getCause());
                  }
                });
    return new MediaService(
        server.bean(MediaFiles.class),
        server.bean(MediaRemovals.class),
        watched,
        server.bean(MediaAddresses.class),
        images,
        server.bean(AccountLookup.class),
        CONFIGURATION,
        server.bean(CallerRate.class),
        InstantSource.system());
  }

  private String uploaded(byte[] content) throws IOException {
    String id = new UploadedFiles(server).pending(owner, content);
    store().write(id, MediaStore.UPLOAD, new ByteArrayInputStream(content), content.length);
    return id;
  }

  private MediaStore store() {
    return server.bean(MediaStore.class);
  }

  private Viewer viewer() {
    return TestViewer.of(owner, server.table().table(), server.clock());
  }

  /** The bytes that were sent remain, where no address leads. */
  @Test
  void file_whoseUploadCannotBeRemoved_isComplete() throws IOException {
    String id = uploaded(SampleImages.png(4, 3));
    MediaService service = service(() -> {}, "remove");

    assertThat(service.complete(viewer(), id).state()).isEqualTo(MediaState.COMPLETE);

    assertThat(service.complete(viewer(), id).state()).isEqualTo(MediaState.COMPLETE);
    assertThat(store().names(id))
        .containsExactlyInAnyOrder(MediaStore.UPLOAD, "original.png", "medium.png", "small.png");
  }

  @Test
  void file_thatIsRefused_isRefused_alsoWhereItsUploadCannotBeRemoved() throws IOException {
    byte[] png = SampleImages.png(40, 30);
    String id = uploaded(Arrays.copyOf(png, png.length / 2));
    MediaService service = service(() -> {}, "remove");

    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> service.complete(viewer(), id))
        .extracting(ProblemException::code)
        .isEqualTo(ProblemCode.MEDIA_REFUSED);
  }

  /** Its owner need not send it again, once the machine is less busy. */
  @Test
  void file_thatTakesTooLongToDecode_keepsItsUpload() throws IOException {
    String id = uploaded(SampleImages.png(40, 30));
    var hours = new AtomicLong();
    var slow = new Images(CONFIGURATION, () -> HOUR.toNanos() * hours.getAndIncrement());

    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> service(() -> {}, NONE, slow).complete(viewer(), id))
        .extracting(ProblemException::code)
        .isEqualTo(ProblemCode.MEDIA_BUSY);

    assertThat(store().names(id)).containsExactly(MediaStore.UPLOAD);
    assertThat(service(() -> {}, NONE).complete(viewer(), id).state())
        .isEqualTo(MediaState.COMPLETE);
  }

  /** A third attempt would keep the images of others waiting. */
  @Test
  void file_thatTakesTooLongToDecodeTwice_isRefused() throws IOException {
    String id = uploaded(SampleImages.png(40, 30));
    var hours = new AtomicLong();
    var slow = new Images(CONFIGURATION, () -> HOUR.toNanos() * hours.getAndIncrement());
    var service = service(() -> {}, NONE, slow);

    assertThat(codeOf(service, id)).isEqualTo(ProblemCode.MEDIA_BUSY);
    assertThat(codeOf(service, id)).isEqualTo(ProblemCode.MEDIA_REFUSED);
    assertThat(store().names(id)).isEmpty();
  }

  private ProblemCode codeOf(MediaService service, String id) {
    return catchThrowableOfType(ProblemException.class, () -> service.complete(viewer(), id))
        .code();
  }

  /** The stream has removed its objects by then, and nothing else would. */
  @Test
  void file_thatIsDeletedMeanwhile_leavesNoObject() throws IOException {
    String id = uploaded(SampleImages.png(4, 3));
    var files = server.bean(MediaFiles.class);
    var service = service(() -> files.delete(id, owner), NONE);

    assertThatThrownBy(() -> service.complete(viewer(), id)).isInstanceOf(ProblemException.class);

    assertThat(files.get(id)).isEmpty();
    assertThat(store().names(id)).isEmpty();
    assertThat(noted(id)).isFalse();
  }

  private boolean noted(String id) {
    var table = server.table().table();
    return table.get(MediaRemoval.key(id)).isPresent()
        && table.get(MediaRemoval.timerKey(id)).isPresent();
  }

  /** The stream removes them once the store answers, and an erasure waits for that. */
  @Test
  void file_thatIsDeletedWhileTheStoreFails_leavesANoteOfItsObjects() throws IOException {
    String id = uploaded(SampleImages.png(4, 3));
    var files = server.bean(MediaFiles.class);
    var service = service(() -> files.delete(id, owner), "removeAll");

    assertThatThrownBy(() -> service.complete(viewer(), id)).isInstanceOf(ProblemException.class);

    assertThat(store().names(id)).isNotEmpty();
    assertThat(noted(id)).isTrue();
  }

  /** A process that dies in between leaves what the client's repeat needs. */
  @Test
  void upload_isRemovedOnlyOnceTheFileIsComplete() throws IOException {
    String id = uploaded(SampleImages.png(4, 3));
    var files = server.bean(MediaFiles.class);
    var seen = new ArrayList<Boolean>();
    beforeCall =
        method -> {
          if (method.equals("remove")) {
            seen.add(files.get(id).orElseThrow().isComplete());
          }
        };

    service(() -> {}, NONE).complete(viewer(), id);

    assertThat(seen).containsExactly(true);
    assertThat(store().names(id)).doesNotContain(MediaStore.UPLOAD);
  }
}
