package social.feed.api.media;

import java.util.Arrays;
import java.util.Optional;

/**
 * The types of images that are accepted, with the bytes that each begins with. SVG is none of them:
 * it can contain scripts.
 */
enum ImageType {
  JPEG("image/jpeg", "jpeg", "jpg", 0xff, 0xd8, 0xff),
  PNG("image/png", "png", "png", 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'),
  GIF("image/gif", "gif", "gif", 'G', 'I', 'F', '8');

  /** The pattern of the accepted content types. */
  static final String PATTERN = "^image/(jpeg|png|gif)$";

  private final String contentType;
  private final String format;
  private final String suffix;
  private final int[] beginning;

  ImageType(String contentType, String format, String suffix, int... beginning) {
    this.contentType = contentType;
    this.format = format;
    this.suffix = suffix;
    this.beginning = beginning;
  }

  static ImageType of(String contentType) {
    return Arrays.stream(values())
        .filter(type -> type.contentType.equals(contentType))
        .findAny()
        .orElseThrow();
  }

  /** Returns the type by the suffix of an object's name. */
  static Optional<ImageType> ofName(String name) {
    return Arrays.stream(values()).filter(type -> name.endsWith("." + type.suffix)).findAny();
  }

  String contentType() {
    return contentType;
  }

  /** The name of the format in the image library. */
  String format() {
    return format;
  }

  String suffix() {
    return suffix;
  }

  /** Returns whether bytes begin as those of this type do. */
  boolean begins(byte[] bytes) {
    if (bytes.length < beginning.length) {
      return false;
    }
    for (int i = 0; i < beginning.length; i++) {
      if ((bytes[i] & 0xff) != beginning[i]) {
        return false;
      }
    }
    return true;
  }
}
