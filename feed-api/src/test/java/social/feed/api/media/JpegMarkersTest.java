package social.feed.api.media;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.coobird.thumbnailator.util.exif.Orientation;
import org.junit.jupiter.api.Test;

class JpegMarkersTest {
  private static int scans(byte[] jpeg) {
    return JpegMarkers.of(jpeg).scans();
  }

  @Test
  void segments_areCounted() {
    int segments = JpegMarkers.of(SampleImages.jpeg(40, 20)).segments();

    assertThat(segments).isBetween(5, 20);
    assertThat(JpegMarkers.of(SampleImages.jpegOfSegments(3_000)).segments())
        .isEqualTo(segments + 3_000);
  }

  /** A photo may have several such segments; of the others some programs copy an old one. */
  @Test
  void orientation_isThatOfTheFirstExifSegmentBeforeTheScan() {
    byte[] turned = SampleImages.jpegWithExif(40, 20, 6, "");
    byte[] upright = SampleImages.jpegWithExif(40, 20, 1, "");
    int head = turned.length - SampleImages.jpeg(40, 20).length + 20;
    byte[] both =
        SampleImages.joined(
            Arrays.copyOf(turned, head), Arrays.copyOfRange(upright, 20, upright.length));

    assertThat(JpegMarkers.of(turned).orientation()).isEqualTo(Orientation.RIGHT_TOP);
    assertThat(JpegMarkers.of(both).orientation()).isEqualTo(Orientation.RIGHT_TOP);
    assertThat(JpegMarkers.of(SampleImages.jpeg(40, 20)).orientation()).isNull();
    assertThat(JpegMarkers.of(SampleImages.joined(SampleImages.jpeg(40, 20), turned)).orientation())
        .isNull();
  }

  @Test
  void jpeg_written_hasTheScansOfItsMode() {
    assertThat(scans(SampleImages.jpeg(40, 20))).isEqualTo(1);
    assertThat(scans(SampleImages.progressiveJpeg(40, 20))).isEqualTo(10);
  }

  @Test
  void scans_repeated_areCounted() {
    assertThat(scans(SampleImages.jpegOfScans(2_000))).isEqualTo(2_009);
  }

  /** The Exif segment of a photo contains a small JPEG, and a video may follow the image. */
  @Test
  void scans_inASegmentOrBehindTheImage_areNotCounted() {
    String thumbnail = "\u0001\u0002";
    byte[] photo = SampleImages.jpegWithExif(40, 20, 1, thumbnail);
    int at = indexOf(photo, 1, 2);
    photo[at] = (byte) 0xff;
    photo[at + 1] = (byte) 0xda;

    assertThat(scans(photo)).isEqualTo(1);
    assertThat(scans(SampleImages.joined(photo, photo))).isEqualTo(1);
  }

  /** The decoder skips no segment of such a marker, so a length must not hide scans. */
  @Test
  void scans_behindAMarkerWithoutASegment_areCounted() {
    byte[] jpeg = SampleImages.jpeg(40, 20);
    byte[] begin = Arrays.copyOf(jpeg, 2);
    byte[] rest = Arrays.copyOfRange(jpeg, 2, jpeg.length);
    for (int marker : new int[] {0x00, 0x01, 0x02, 0xbf, 0xd0, 0xd7}) {
      byte[] between = SampleImages.bytes(0xff, marker, 0x7f, 0xff);
      assertThat(scans(SampleImages.joined(begin, between, rest)))
          .as("marker %x", marker)
          .isEqualTo(1);
    }
  }

  @Test
  void scans_ofNoJpeg_areNone() {
    assertThat(scans(new byte[0])).isZero();
    assertThat(scans(SampleImages.bytes(0xff))).isZero();
    assertThat(scans(SampleImages.bytes(0xff, 0xd8, 0xff, 0xe1))).isZero();
    assertThat(scans(SampleImages.png(4, 3))).isZero();
  }

  private static int indexOf(byte[] bytes, int... wanted) {
    int at = bytes.length - wanted.length;
    while (bytes[at] != wanted[0] || bytes[at + 1] != wanted[1]) {
      at--;
    }
    return at;
  }
}
