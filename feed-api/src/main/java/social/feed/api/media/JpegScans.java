package social.feed.api.media;

/**
 * Counts the scans of a JPEG without decoding them. It reads markers as the decoder does: it skips
 * a segment by its length, and the data of a scan byte by byte. Where the decoder would refuse a
 * marker, it skips nothing, so that no scan is hidden from it.
 */
final class JpegScans {
  private static final int MARKER = 0xff;
  private static final int FIRST_SEGMENT = 0xc0;
  private static final int RESTART = 0xd0;
  private static final int START_OF_IMAGE = 0xd8;
  private static final int END_OF_IMAGE = 0xd9;
  private static final int START_OF_SCAN = 0xda;

  private JpegScans() {}

  /** Returns the number of scans before the first end of an image. */
  static int count(byte[] jpeg) {
    int scans = 0;
    int at = 0;
    while (at + 1 < jpeg.length) {
      int marker = jpeg[at + 1] & 0xff;
      if ((jpeg[at] & 0xff) != MARKER || marker == MARKER) {
        at++;
        continue;
      }
      if (marker == END_OF_IMAGE) {
        return scans;
      }
      at += 2;
      if (marker == START_OF_SCAN) {
        scans++;
      }
      if (isSegment(marker)) {
        at += length(jpeg, at);
      }
    }
    return scans;
  }

  private static boolean isSegment(int marker) {
    return marker >= FIRST_SEGMENT && (marker < RESTART || marker > START_OF_IMAGE);
  }

  /** Returns the length of a segment, its own two bytes included. */
  private static int length(byte[] jpeg, int at) {
    int high = at < jpeg.length ? jpeg[at] & 0xff : 0;
    int low = at + 1 < jpeg.length ? jpeg[at + 1] & 0xff : 0;
    return Math.max(2, high << Byte.SIZE | low);
  }
}
