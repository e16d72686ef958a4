package social.feed.api.media;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.api.edge.idempotency.Created;
import social.feed.api.edge.idempotency.NewResource;
import social.feed.api.edge.idempotency.PendingCreation;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.rate.CallerRate;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountLookup;
import social.feed.table.kernel.id.Sha256;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaQuota;
import social.feed.table.media.MediaRemovals;
import social.feed.table.media.MediaStore;
import social.feed.table.row.Media;

/**
 * Files of the caller. An object is written before the row is read again: where the row was deleted
 * meanwhile, the writer removes the object, because the stream may have looked before.
 */
@Singleton
@Requires(beans = MediaStore.class)
final class MediaService {
  private static final Logger LOG = LoggerFactory.getLogger(MediaService.class);
  private static final Duration TURN_WITHIN = Duration.ofSeconds(5);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
  private static final Duration LATE_FOR = Duration.ofHours(1);
  private static final int LATE_MAX = 10_000;

  private final MediaFiles files;
  private final MediaRemovals removals;
  private final MediaStore store;
  private final MediaAddresses addresses;
  private final Images images;
  private final AccountLookup accounts;
  private final MediaConfiguration configuration;
  private final CallerRate rate;
  private final InstantSource clock;
  private final Turns turns;

  /** The files that took too long to decode once. */
  private final Cache<String, Boolean> late =
      Caffeine.newBuilder().maximumSize(LATE_MAX).expireAfterWrite(LATE_FOR).build();

  MediaService(
      MediaFiles files,
      MediaRemovals removals,
      MediaStore store,
      MediaAddresses addresses,
      Images images,
      AccountLookup accounts,
      MediaConfiguration configuration,
      CallerRate rate,
      InstantSource clock) {
    this.files = files;
    this.removals = removals;
    this.store = store;
    this.addresses = addresses;
    this.images = images;
    this.accounts = accounts;
    this.configuration = configuration;
    this.rate = rate;
    this.clock = clock;
    this.turns = new Turns(configuration.completions(), TURN_WITHIN);
  }

  /**
   * Prepares the announcement of an upload. One read unit; writing it costs five write units.
   *
   * @throws ProblemException {@code media_refused}, {@code media_quota_reached}
   */
  PendingCreation draft(Viewer viewer, MediaRequest request, NewResource resource) {
    accounts.caller(viewer);
    if (request.bytes() > configuration.maxBytes()) {
      throw new ProblemException(
          ProblemCode.MEDIA_REFUSED, "A file has at most " + configuration.maxBytes() + " bytes");
    }
    Instant end =
        resource.createdAt().plus(configuration.uploadWithin()).truncatedTo(ChronoUnit.SECONDS);
    Media media = pending(viewer, request, resource, end);
    MediaQuota quota = configuration.quota();
    if (!quota.admits(media)) {
      throw new ProblemException(ProblemCode.MEDIA_QUOTA_REACHED);
    }
    Created created = new Created(HttpStatus.CREATED, addresses.upload(media, end));
    return new PendingCreation(
        created,
        List.of(media),
        List.of(),
        transaction -> MediaFiles.reserving(transaction, media, quota),
        () -> reserved(viewer, media, quota, created));
  }

  private Created reserved(Viewer viewer, Media media, MediaQuota quota, Created created) {
    return switch (files.reserve(media, quota)) {
      case RESERVED -> created;
      case OVER_QUOTA -> throw quotaReached(viewer);
      case NO_ACCOUNT -> throw accounts.notRegistered(viewer);
    };
  }

  /** No list shows what was not uploaded in time, so the caller cannot delete it. */
  private ProblemException quotaReached(Viewer viewer) {
    return files.deleteExpired(viewer.userId(), clock.instant()) == 0
        ? new ProblemException(ProblemCode.MEDIA_QUOTA_REACHED)
        : new ProblemException(
            ProblemCode.MEDIA_QUOTA_REACHED,
            "Uploads that were not completed in time are being removed. Try again in a moment");
  }

  private static Media pending(
      Viewer viewer, MediaRequest request, NewResource resource, Instant end) {
    String alt = request.alt();
    return new Media(
        resource.id(),
        viewer.userId(),
        request.contentType(),
        request.bytes(),
        request.sha256(),
        alt == null || alt.isEmpty() ? null : alt,
        resource.createdAt(),
        null,
        null,
        end.getEpochSecond());
  }

  /**
   * Stores the bytes of an upload, in place of earlier ones. It counts as a request of the owner,
   * whom the signature names, because the address needs no token. Two read units.
   *
   * @param ownerId by the signature of the address
   * @throws ProblemException {@code not_found}, {@code rate_limited} also while another request
   *     uploads or completes the file, {@code too_large}
   */
  void receive(String mediaId, String ownerId, InputStream content) {
    rate.take(ownerId);
    Media media = pending(mediaId).orElseThrow(MediaAddresses::missing);
    boolean isWhole =
        alone(
            mediaId,
            ownerId,
            () -> {
              boolean isWritten = store.write(mediaId, MediaStore.UPLOAD, content, media.bytes());
              if (settled(mediaId, ownerId).isComplete()) {
                throw MediaAddresses.missing();
              }
              return isWritten;
            });
    if (!isWhole) {
      throw new ProblemException(
          ProblemCode.TOO_LARGE, "The upload has more than " + media.bytes() + " bytes");
    }
  }

  /**
   * Checks an upload and writes its sizes. A repeat returns the file. Two read units and one write
   * unit.
   *
   * @throws ProblemException {@code not_found}, {@code media_not_uploaded}, {@code media_mismatch},
   *     {@code media_refused}, {@code media_busy} also while the store does not answer or when the
   *     image takes too long to decode, {@code rate_limited} while another upload of the account is
   *     being completed
   */
  MediaBody complete(Viewer viewer, String mediaId) {
    Media media = own(viewer, mediaId);
    Media complete =
        media.isComplete()
            ? media
            : alone(
                mediaId,
                media.ownerId(),
                () -> turns.inTurn(media.ownerId(), () -> completed(media)));
    return MediaBody.of(complete, addresses);
  }

  /** The upload is read only now, so that those that wait take no memory. */
  private Media completed(Media media) throws IOException {
    String mediaId = media.mediaId();
    Optional<byte[]> upload = upload(media);
    if (upload.isEmpty()) {
      // Another process may have completed it.
      return Optional.of(settled(mediaId, media.ownerId()))
          .filter(Media::isComplete)
          .orElseThrow(() -> new ProblemException(ProblemCode.MEDIA_NOT_UPLOADED));
    }
    ImageType type = ImageType.of(media.contentType());
    Images.Encoded image = encoded(media, type, upload.get());
    for (var size : image.sizes().entrySet()) {
      byte[] bytes = size.getValue();
      store.write(
          mediaId,
          size.getKey().object(type.suffix()),
          new ByteArrayInputStream(bytes),
          bytes.length);
    }
    Optional<Media> complete = files.complete(media, image.width(), image.height());
    if (complete.isEmpty()) {
      throw withoutObjects(mediaId, media.ownerId());
    }
    removeUpload(mediaId);
    return complete.get();
  }

  /**
   * Removes the bytes that were sent. Where that fails they remain, and the answer is the same: no
   * address leads to them. A rule of the bucket ends them, or the removal of the file.
   */
  private void removeUpload(String mediaId) {
    try {
      store.remove(mediaId, MediaStore.UPLOAD);
    } catch (IOException | RuntimeException e) {
      LOG.warn("The upload of {} remains, and ends later", mediaId, e);
    }
  }

  /**
   * An upload that is refused once always is, since its digest is fixed, so it is removed. One that
   * takes too long has a second attempt, because the server may have been busy; a third would cost
   * the others their turns.
   */
  private Images.Encoded encoded(Media media, ImageType type, byte[] upload) {
    String mediaId = media.mediaId();
    try {
      return images.encode(type, checked(media, upload));
    } catch (ProblemException e) {
      boolean isLateAgain =
          e.code() == ProblemCode.MEDIA_BUSY && late.asMap().putIfAbsent(mediaId, true) != null;
      if (isLateAgain || e.code() == ProblemCode.MEDIA_REFUSED) {
        removeUpload(mediaId);
      }
      throw isLateAgain
          ? new ProblemException(
              ProblemCode.MEDIA_REFUSED, "The image takes too long to decode, twice")
          : e;
    }
  }

  /**
   * Runs the only work on a file. After a failure its row decides what stays.
   *
   * @throws ProblemException {@code not_found} where the file was deleted meanwhile, which can make
   *     any work on its objects fail
   */
  private <T> T alone(String mediaId, String ownerId, Turns.Work<T> work) {
    try {
      return turns.alone(
          mediaId,
          () -> {
            try {
              return work.run();
            } catch (ProblemException e) {
              throw e;
            } catch (IOException | RuntimeException e) {
              settle(mediaId, ownerId, e);
              throw e;
            }
          });
    } catch (MediaStore.UnavailableException e) {
      throw unavailable(e);
    } catch (IOException e) {
      throw new UncheckedIOException("The file cannot be stored", e);
    }
  }

  private static ProblemException unavailable(IOException e) {
    LOG.warn("The store of media is not available", e);
    return new ProblemException(
        ProblemCode.MEDIA_BUSY, "The store of files does not answer", RETRY_AFTER);
  }

  private void settle(String mediaId, String ownerId, Exception failure) {
    try {
      settled(mediaId, ownerId);
    } catch (ProblemException e) {
      LOG.info("Work on {} failed, which was deleted meanwhile", mediaId, failure);
      throw e;
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Removes what may not stay of a file: all without its row, the upload of a complete one. One
   * read unit.
   *
   * @throws ProblemException {@code not_found}
   */
  private Media settled(String mediaId, String ownerId) {
    Optional<Media> row = files.get(mediaId);
    if (row.isEmpty()) {
      throw withoutObjects(mediaId, ownerId);
    }
    if (row.get().isComplete()) {
      removeUpload(mediaId);
    }
    return row.get();
  }

  /** Removes the objects of a file whose row is gone, or notes that they remain. */
  private ProblemException withoutObjects(String mediaId, String ownerId) {
    try {
      store.removeAll(mediaId);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Objects of {} remain, and are removed later", mediaId, e);
      removals.note(mediaId, ownerId, clock.instant());
    }
    return MediaAddresses.missing();
  }

  private Optional<byte[]> upload(Media media) throws IOException {
    Optional<InputStream> content = store.read(media.mediaId(), MediaStore.UPLOAD);
    if (content.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream open = content.get()) {
      return Optional.of(open.readNBytes(Math.toIntExact(media.bytes() + 1)));
    }
  }

  /** Returns an upload, if it has the announced size and digest. */
  private static byte[] checked(Media media, byte[] bytes) {
    if (bytes.length != media.bytes()) {
      throw new ProblemException(
          ProblemCode.MEDIA_MISMATCH,
          "The upload has %d bytes instead of %d".formatted(bytes.length, media.bytes()));
    }
    if (!Sha256.hex(bytes).equals(media.sha256())) {
      throw new ProblemException(
          ProblemCode.MEDIA_MISMATCH, "The SHA-256 digest of the upload is another one");
    }
    return bytes;
  }

  /** Returns a file of the caller. One read unit. */
  MediaBody get(Viewer viewer, String mediaId) {
    return MediaBody.of(own(viewer, mediaId), addresses);
  }

  /** Changes a file of the caller. Two read units and one write unit. */
  MediaBody change(Viewer viewer, String mediaId, MediaChangeRequest request) {
    Media media = own(viewer, mediaId);
    return files
        .describe(media, request.alt())
        .map(changed -> MediaBody.of(changed, addresses))
        .orElseThrow(MediaAddresses::missing);
  }

  /** Deletes a file of the caller. The stream removes its objects. One read and two write units. */
  void delete(Viewer viewer, String mediaId) {
    accounts.caller(viewer);
    switch (files.delete(mediaId, viewer.userId())) {
      case DELETED -> {}
      case SHOWN -> throw new ProblemException(ProblemCode.MEDIA_IN_USE);
      case ABSENT -> throw MediaAddresses.missing();
    }
  }

  /** Returns an object of a file whose address was signed. */
  InputStream open(String mediaId, String name) {
    try {
      return store.read(mediaId, name).orElseThrow(MediaAddresses::missing);
    } catch (IOException e) {
      throw new UncheckedIOException("The file cannot be read", e);
    }
  }

  private Media own(Viewer viewer, String mediaId) {
    accounts.caller(viewer);
    return files
        .get(mediaId)
        .filter(media -> media.ownerId().equals(viewer.userId()))
        .filter(media -> !media.isExpired(clock.instant()))
        .orElseThrow(MediaAddresses::missing);
  }

  private Optional<Media> pending(String mediaId) {
    return files
        .get(mediaId)
        .filter(media -> !media.isComplete() && !media.isExpired(clock.instant()));
  }
}
