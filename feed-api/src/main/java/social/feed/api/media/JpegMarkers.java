package social.feed.api.media;

import java.util.Arrays;
import net.coobird.thumbnailator.util.exif.ExifUtils;
import net.coobird.thumbnailator.util.exif.Orientation;
import org.jspecify.annotations.Nullable;

/**
 * What the markers of a JPEG say, without decoding it, in one pass. It reads markers as the decoder
 * does: it skips a segment by its length, and the data of a scan byte by byte. Where the decoder
 * would refuse a marker, it skips nothing, so that no scan is hidden from it. What follows the
 * first end of an image is not read.
 *
 * @param segments the number of segments, scans included
 * @param scans the number of scans
 * @param orientation how to turn the image, by the first Exif segment before the first scan
 */
record JpegMarkers(int segments, int scans, @Nullable Orientation orientation) {
  private static final int MARKER = 0xff;
  private static final int FIRST_SEGMENT = 0xc0;
  private static final int RESTART = 0xd0;
  private static final int START_OF_IMAGE = 0xd8;
  private static final int END_OF_IMAGE = 0xd9;
  private static final int START_OF_SCAN = 0xda;
  private static final int EXIF = 0xe1;
  private static final byte[] EXIF_BEGIN = {'E', 'x', 'i', 'f', 0, 0};

  /** The length of a segment counts its own bytes. */
  private static final int LENGTH = 2;

  /**
   * Reads the markers of a JPEG.
   *
   * @throws RuntimeException when its Exif segment is damaged
   */
  static JpegMarkers of(byte[] jpeg) {
    int segments = 0;
    int scans = 0;
    byte[] exif = null;
    int at = 0;
    while (at + 1 < jpeg.length) {
      int marker = jpeg[at + 1] & 0xff;
      if ((jpeg[at] & 0xff) != MARKER || marker == MARKER) {
        at++;
        continue;
      }
      if (marker == END_OF_IMAGE) {
        break;
      }
      at += 2;
      if (isSegment(marker)) {
        int length = length(jpeg, at);
        segments++;
        if (marker == START_OF_SCAN) {
          scans++;
        }
        if (exif == null && scans == 0 && marker == EXIF && isExif(jpeg, at + LENGTH)) {
          exif = Arrays.copyOfRange(jpeg, at + LENGTH, Math.min(at + length, jpeg.length));
        }
        at += length;
      }
    }
    return new JpegMarkers(
        segments, scans, exif == null ? null : ExifUtils.getOrientationFromExif(exif));
  }

  private static boolean isSegment(int marker) {
    return marker >= FIRST_SEGMENT && (marker < RESTART || marker > START_OF_IMAGE);
  }

  private static boolean isExif(byte[] jpeg, int at) {
    int end = at + EXIF_BEGIN.length;
    return end <= jpeg.length && Arrays.equals(jpeg, at, end, EXIF_BEGIN, 0, EXIF_BEGIN.length);
  }

  private static int length(byte[] jpeg, int at) {
    int high = at < jpeg.length ? jpeg[at] & 0xff : 0;
    int low = at + 1 < jpeg.length ? jpeg[at + 1] & 0xff : 0;
    return Math.max(LENGTH, high << Byte.SIZE | low);
  }
}
