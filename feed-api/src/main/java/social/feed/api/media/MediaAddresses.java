package social.feed.api.media;

import java.time.Instant;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.table.media.ImageSize;
import social.feed.table.row.Media;

/**
 * The addresses of objects. Anyone who has one can use it until it ends, without a token, as a
 * browser does that shows an image. Signing sends no request.
 */
public interface MediaAddresses {
  /**
   * Returns where and how the bytes of a file are sent.
   *
   * @param end when the address ends
   */
  UploadBody upload(Media media, Instant end);

  /** Returns the address of an object. It stays the same for a while, so that caches work. */
  String file(String mediaId, String name);

  /**
   * Returns the addresses of an image.
   *
   * @param contentType one that is accepted
   */
  default ImageAddresses of(String mediaId, String contentType) {
    String suffix = ImageType.of(contentType).suffix();
    return new ImageAddresses(
        file(mediaId, ImageSize.ORIGINAL.object(suffix)),
        file(mediaId, ImageSize.MEDIUM.object(suffix)),
        file(mediaId, ImageSize.SMALL.object(suffix)));
  }

  /** Returns the refusal of an address that was not signed, or has ended. */
  static ProblemException missing() {
    return new ProblemException(ProblemCode.NOT_FOUND);
  }
}
