package social.feed.table.media;

import java.util.Locale;

/** The sizes in which an image is kept. A smaller image is not enlarged. */
public enum ImageSize {
  ORIGINAL(Integer.MAX_VALUE),
  MEDIUM(1_080),
  SMALL(320);

  private final int max;

  ImageSize(int max) {
    this.max = max;
  }

  /** The most pixels of the longer side. */
  public int max() {
    return max;
  }

  /**
   * Returns the name of the object of this size.
   *
   * @param suffix of the names of its type, such as {@code png}
   */
  public String object(String suffix) {
    return prefix() + suffix;
  }

  /** Returns whether an object has this size, by its name. */
  public boolean isOf(String object) {
    return object.startsWith(prefix());
  }

  private String prefix() {
    return name().toLowerCase(Locale.ROOT) + ".";
  }
}
