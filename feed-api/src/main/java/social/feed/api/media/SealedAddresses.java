package social.feed.api.media;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import social.feed.api.edge.Uploads;
import social.feed.api.edge.paging.CursorCodec;
import social.feed.api.edge.paging.CursorScope;
import social.feed.api.edge.problem.ProblemException;
import social.feed.table.row.Media;

/**
 * Signs addresses of the API itself with the key of cursors. They are relative to the address of
 * the API. The scope of an address has no caller, so it is never a cursor.
 */
@Singleton
@Requires(missingProperty = "feed.media.bucket")
final class SealedAddresses implements MediaAddresses {
  static final String PATH = "/media";

  private final CursorCodec codec;
  private final InstantSource clock;
  private final long validSeconds;

  SealedAddresses(CursorCodec codec, InstantSource clock, MediaConfiguration configuration) {
    this.codec = codec;
    this.clock = clock;
    this.validSeconds = Math.max(1, configuration.addressesValid().toSeconds());
  }

  /** The signature names the owner. */
  @Override
  public UploadBody upload(Media media, Instant end) {
    String id = media.mediaId();
    return new UploadBody(
        id,
        UploadBody.PUT,
        Uploads.PATH + id + signed(Use.UPLOAD, id, end.getEpochSecond(), media.ownerId()),
        Map.of(HttpHeaders.CONTENT_TYPE, media.contentType()),
        end);
  }

  @Override
  public String file(String mediaId, String name) {
    long end = (clock.instant().getEpochSecond() / validSeconds + 2) * validSeconds;
    return PATH
        + "/files/"
        + mediaId
        + "/"
        + name
        + signed(Use.FILE, mediaId + "/" + name, end, "");
  }

  /**
   * Checks the signature of an upload, and returns the owner of the file.
   *
   * @throws ProblemException {@code not_found}, unless {@link #upload} made it and it has not ended
   */
  String requireUpload(String mediaId, String signature) {
    Signed signed = signed(Use.UPLOAD, mediaId, signature);
    left(signed);
    return signed.owner();
  }

  /**
   * Checks the signature of an object, and returns for how many seconds it stays valid.
   *
   * @throws ProblemException {@code not_found}, unless {@link #file} made it and it has not ended
   */
  long requireFile(String mediaId, String name, String signature) {
    return left(signed(Use.FILE, mediaId + "/" + name, signature));
  }

  private enum Use {
    UPLOAD,
    FILE
  }

  /**
   * What a signature says.
   *
   * @param end epoch second
   * @param owner empty in the address of an object
   */
  private record Signed(long end, String owner) {}

  private String signed(Use use, String resource, long end, String owner) {
    return "?signature=" + codec.encode(scope(use, resource), end + " " + owner);
  }

  private Signed signed(Use use, String resource, String signature) {
    String text;
    try {
      text = codec.decode(scope(use, resource), signature);
    } catch (ProblemException e) {
      throw MediaAddresses.missing();
    }
    int space = text.indexOf(' ');
    return new Signed(Long.parseLong(text.substring(0, space)), text.substring(space + 1));
  }

  private long left(Signed signed) {
    long left = signed.end() - clock.instant().getEpochSecond();
    if (left <= 0) {
      throw MediaAddresses.missing();
    }
    return left;
  }

  private static CursorScope scope(Use use, String resource) {
    return new CursorScope("", "MEDIA-" + use, resource);
  }
}
