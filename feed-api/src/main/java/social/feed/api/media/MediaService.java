package social.feed.api.media;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.api.edge.idempotency.Created;
import social.feed.api.edge.idempotency.NewResource;
import social.feed.api.edge.idempotency.PendingCreation;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountLookup;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaQuota;
import social.feed.table.media.MediaStore;
import social.feed.table.row.Media;

/**
 * Files of the caller. An object is written before the row is read again: where the row was deleted
 * meanwhile, the writer removes the object, because the stream may have looked before.
 */
@Singleton
@Requires(beans = MediaStore.class)
final class MediaService {
  private static final String UPLOAD = "upload";

  private final MediaFiles files;
  private final MediaStore store;
  private final MediaAddresses addresses;
  private final Images images;
  private final AccountLookup accounts;
  private final MediaConfiguration configuration;
  private final InstantSource clock;

  MediaService(
      MediaFiles files,
      MediaStore store,
      MediaAddresses addresses,
      Images images,
      AccountLookup accounts,
      MediaConfiguration configuration,
      InstantSource clock) {
    this.files = files;
    this.store = store;
    this.addresses = addresses;
    this.images = images;
    this.accounts = accounts;
    this.configuration = configuration;
    this.clock = clock;
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
    Created created =
        new Created(
            HttpStatus.CREATED,
            new UploadBody(
                media.mediaId(),
                "PUT",
                addresses.upload(media.mediaId(), end),
                Map.of(HttpHeaders.CONTENT_TYPE, media.contentType()),
                end));
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
      case OVER_QUOTA -> throw new ProblemException(ProblemCode.MEDIA_QUOTA_REACHED);
      case NO_ACCOUNT -> throw accounts.notRegistered(viewer);
    };
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
   * Stores the bytes of an upload, in place of earlier ones. Two read units.
   *
   * @throws ProblemException {@code not_found}, {@code too_large}
   */
  void receive(String mediaId, String signature, InputStream content) {
    addresses.requireUpload(mediaId, signature);
    Media media = pending(mediaId).orElseThrow(MediaAddresses::missing);
    try {
      if (!store.write(mediaId, UPLOAD, content, media.bytes())) {
        throw new ProblemException(
            ProblemCode.TOO_LARGE, "The upload has more than " + media.bytes() + " bytes");
      }
      Optional<Media> after = files.get(mediaId);
      if (after.isEmpty()) {
        store.removeAll(mediaId);
        throw MediaAddresses.missing();
      }
      if (after.get().isComplete()) {
        store.remove(mediaId, UPLOAD);
        throw MediaAddresses.missing();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The upload cannot be stored", e);
    }
  }

  /**
   * Checks an upload and writes its sizes. A repeat returns the file. Two read units and one write
   * unit.
   *
   * @throws ProblemException {@code not_found}, {@code media_not_uploaded}, {@code media_mismatch},
   *     {@code media_refused}
   */
  MediaBody complete(Viewer viewer, String mediaId) {
    Media media = own(viewer, mediaId);
    if (media.isComplete()) {
      return MediaBody.of(media, addresses);
    }
    try {
      ImageType type = ImageType.of(media.contentType());
      Images.Encoded image = images.encode(type, checked(media));
      for (var size : image.sizes().entrySet()) {
        byte[] bytes = size.getValue();
        store.write(
            mediaId, size.getKey().object(type), new ByteArrayInputStream(bytes), bytes.length);
      }
      Optional<Media> complete = files.complete(media, image.width(), image.height());
      if (complete.isEmpty()) {
        store.removeAll(mediaId);
        throw MediaAddresses.missing();
      }
      store.remove(mediaId, UPLOAD);
      return MediaBody.of(complete.get(), addresses);
    } catch (IOException e) {
      throw new UncheckedIOException("The file cannot be stored", e);
    }
  }

  /** Returns the bytes of an upload with the announced size and digest. */
  private byte[] checked(Media media) throws IOException {
    byte[] bytes;
    try (InputStream content =
        store
            .read(media.mediaId(), UPLOAD)
            .orElseThrow(() -> new ProblemException(ProblemCode.MEDIA_NOT_UPLOADED))) {
      bytes = content.readNBytes(Math.toIntExact(media.bytes() + 1));
    }
    if (bytes.length != media.bytes()) {
      throw new ProblemException(
          ProblemCode.MEDIA_MISMATCH,
          "The upload has %d bytes instead of %d".formatted(bytes.length, media.bytes()));
    }
    if (!digest(bytes).equals(media.sha256())) {
      throw new ProblemException(
          ProblemCode.MEDIA_MISMATCH, "The SHA-256 digest of the upload is another one");
    }
    return bytes;
  }

  private static String digest(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every JDK", e);
    }
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
    if (!files.delete(mediaId, viewer.userId())) {
      throw MediaAddresses.missing();
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
