package social.feed.api.media;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class JpegScansTest {
  @Test
  void jpeg_written_hasTheScansOfItsMode() {
    assertThat(JpegScans.count(SampleImages.jpeg(40, 20))).isEqualTo(1);
    assertThat(JpegScans.count(SampleImages.progressiveJpeg(40, 20))).isEqualTo(10);
  }

  @Test
  void scans_repeated_areCounted() {
    assertThat(JpegScans.count(SampleImages.jpegOfScans(2_000))).isEqualTo(2_009);
  }

  /** The Exif segment of a photo contains a small JPEG, and a video may follow the image. */
  @Test
  void scans_inASegmentOrBehindTheImage_areNotCounted() {
    String thumbnail = "\u0001\u0002";
    byte[] photo = SampleImages.jpegWithExif(40, 20, 1, thumbnail);
    int at = indexOf(photo, 1, 2);
    photo[at] = (byte) 0xff;
    photo[at + 1] = (byte) 0xda;

    assertThat(JpegScans.count(photo)).isEqualTo(1);
    assertThat(JpegScans.count(SampleImages.joined(photo, photo))).isEqualTo(1);
  }

  /** The decoder skips no segment of such a marker, so a length must not hide scans. */
  @Test
  void scans_behindAMarkerWithoutASegment_areCounted() {
    byte[] jpeg = SampleImages.jpeg(40, 20);
    byte[] begin = Arrays.copyOf(jpeg, 2);
    byte[] rest = Arrays.copyOfRange(jpeg, 2, jpeg.length);
    for (int marker : new int[] {0x00, 0x01, 0x02, 0xbf, 0xd0, 0xd7}) {
      byte[] between = SampleImages.bytes(0xff, marker, 0x7f, 0xff);
      assertThat(JpegScans.count(SampleImages.joined(begin, between, rest)))
          .as("marker %x", marker)
          .isEqualTo(1);
    }
  }

  @Test
  void scans_ofNoJpeg_areNone() {
    assertThat(JpegScans.count(new byte[0])).isZero();
    assertThat(JpegScans.count(SampleImages.bytes(0xff))).isZero();
    assertThat(JpegScans.count(SampleImages.bytes(0xff, 0xd8, 0xff, 0xe1))).isZero();
    assertThat(JpegScans.count(SampleImages.png(4, 3))).isZero();
  }

  private static int indexOf(byte[] bytes, int... wanted) {
    int at = bytes.length - wanted.length;
    while (bytes[at] != wanted[0] || bytes[at + 1] != wanted[1]) {
      at--;
    }
    return at;
  }
}
