package social.feed.api.media;

import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import social.feed.api.edge.Uploads;
import social.feed.api.edge.paging.CursorCodec;
import social.feed.api.edge.paging.CursorScope;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.table.media.ImageSize;

/**
 * Signs the addresses of objects with the key of cursors. An address is a reference that is
 * relative to the address of the API. Anyone who has it can use it until it ends, without a token,
 * as a browser does that shows an image. The scope of an address has no caller, so it is never a
 * cursor.
 */
@Singleton
public final class MediaAddresses {
  static final String PATH = "/media";

  private final CursorCodec codec;
  private final InstantSource clock;
  private final long validSeconds;

  MediaAddresses(CursorCodec codec, InstantSource clock, MediaConfiguration configuration) {
    this.codec = codec;
    this.clock = clock;
    this.validSeconds = Math.max(1, configuration.addressesValid().toSeconds());
  }

  /** Returns the address to which the bytes of a file are sent. */
  String upload(String mediaId, Instant end) {
    return Uploads.PATH + mediaId + signed(Use.UPLOAD, mediaId, end.getEpochSecond());
  }

  /** Returns the address of an object. It stays the same for a while, so that caches work. */
  String file(String mediaId, String name) {
    long end = (clock.instant().getEpochSecond() / validSeconds + 2) * validSeconds;
    return PATH + "/files/" + mediaId + "/" + name + signed(Use.FILE, mediaId + "/" + name, end);
  }

  /**
   * Returns the addresses of an image.
   *
   * @param contentType one that is accepted
   */
  public ImageAddresses of(String mediaId, String contentType) {
    String suffix = ImageType.of(contentType).suffix();
    return new ImageAddresses(
        file(mediaId, ImageSize.ORIGINAL.object(suffix)),
        file(mediaId, ImageSize.MEDIUM.object(suffix)),
        file(mediaId, ImageSize.SMALL.object(suffix)));
  }

  /**
   * Checks the signature of an upload.
   *
   * @throws ProblemException {@code not_found}, unless {@link #upload} made it and it has not ended
   */
  void requireUpload(String mediaId, String signature) {
    require(Use.UPLOAD, mediaId, signature);
  }

  /**
   * Checks the signature of an object, and returns for how many seconds it stays valid.
   *
   * @throws ProblemException {@code not_found}, unless {@link #file} made it and it has not ended
   */
  long requireFile(String mediaId, String name, String signature) {
    return require(Use.FILE, mediaId + "/" + name, signature);
  }

  private enum Use {
    UPLOAD,
    FILE
  }

  private String signed(Use use, String resource, long end) {
    return "?signature=" + codec.encode(scope(use, resource), Long.toString(end));
  }

  private long require(Use use, String resource, String signature) {
    long left = end(use, resource, signature) - clock.instant().getEpochSecond();
    if (left <= 0) {
      throw missing();
    }
    return left;
  }

  private long end(Use use, String resource, String signature) {
    try {
      return Long.parseLong(codec.decode(scope(use, resource), signature));
    } catch (ProblemException e) {
      throw missing();
    }
  }

  private static CursorScope scope(Use use, String resource) {
    return new CursorScope("", "MEDIA-" + use, resource);
  }

  static ProblemException missing() {
    return new ProblemException(ProblemCode.NOT_FOUND);
  }
}
