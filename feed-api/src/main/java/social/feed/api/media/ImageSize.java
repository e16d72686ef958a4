package social.feed.api.media;

import java.util.Locale;

/** The sizes in which an image is kept. A smaller image is not enlarged. */
enum ImageSize {
  ORIGINAL(Integer.MAX_VALUE),
  MEDIUM(1_080),
  SMALL(320);

  private final int max;

  ImageSize(int max) {
    this.max = max;
  }

  /** The most pixels of the longer side. */
  int max() {
    return max;
  }

  /** Returns the name of the object of this size. */
  String object(ImageType type) {
    return name().toLowerCase(Locale.ROOT) + "." + type.suffix();
  }
}
