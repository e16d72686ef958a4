package social.feed.api.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;

/** What bounds the work for one image. */
class ImagesTest {
  /** The nanoseconds of the machine begin anywhere, and may overflow. */
  private static final long NOW = Long.MAX_VALUE - 1_000;

  private final AtomicInteger readings = new AtomicInteger();

  /** The time goes on by a step whenever the decoder reads some of the upload. */
  private Images images(Duration step) {
    return images(25_000_000, () -> NOW + step.toNanos() * readings.getAndIncrement());
  }

  private static Images images(long maxPixels, LongSupplier nanoTime) {
    return new Images(
        new MediaConfiguration(
            null,
            null,
            null,
            null,
            9,
            maxPixels,
            1,
            9,
            9,
            Duration.ofHours(1),
            Duration.ofHours(1)),
        nanoTime);
  }

  /** The time stands still for some readings of the upload, then an hour passes. */
  private Images slowAfter(int inTime) {
    return images(
        25_000_000,
        () -> readings.getAndIncrement() < inTime ? NOW : NOW + Duration.ofHours(1).toNanos());
  }

  /** Returns how often the clock is read until the dimensions of an image are known. */
  private int readingsOfHeader(ImageType type, byte[] image) {
    Images small =
        images(
            1,
            () -> {
              readings.incrementAndGet();
              return NOW;
            });
    assertThatThrownBy(() -> small.encode(type, image)).hasMessageContaining("pixels");
    return readings.getAndSet(0);
  }

  private static byte[] image(ImageType type) {
    return switch (type) {
      case JPEG -> SampleImages.jpeg(1_600, 800);
      case PNG -> SampleImages.png(1_600, 800);
      case GIF -> SampleImages.gif(1_600, 800);
    };
  }

  @Test
  void progressiveImage_isTaken() {
    var encoded =
        images(Duration.ZERO).encode(ImageType.JPEG, SampleImages.progressiveJpeg(40, 20));

    assertThat(encoded.width()).isEqualTo(40);
  }

  /** Before it is decoded: the clock is read for the end of the decoding. */
  @Test
  void imageOfManyScans_isRefusedBeforeItIsDecoded() {
    Images images = images(Duration.ZERO);
    byte[] hostile = SampleImages.jpegOfScans(2_000);

    assertThatThrownBy(() -> images.encode(ImageType.JPEG, hostile))
        .hasMessage("The image has 2009 scans, and may have 64");
    assertThat(readings).hasValue(0);
  }

  /** As above. Each segment would become a node of a tree whose children are counted one by one. */
  @Test
  void imageOfManySegments_isRefusedBeforeItIsDecoded() {
    Images images = images(Duration.ZERO);
    byte[] hostile = HostileFile.JPEG_OF_1_300_000_SEGMENTS.content();

    assertThat(hostile.length).isLessThan(8_388_608);
    assertThatThrownBy(() -> images.encode(ImageType.JPEG, hostile))
        .hasMessageMatching("The image has 13000\\d\\d segments, and may have 1000");
    assertThat(readings).hasValue(0);
  }

  /** A decoder that had read ahead would go on without a reading, and so without a limit. */
  @ParameterizedTest
  @EnumSource
  void pixelsThatTakeTooLong_areRefusedAtTheNextReading(ImageType type) {
    byte[] image = image(type);
    int header = readingsOfHeader(type, image);
    assertThat(image.length / header).as("bytes for each reading").isGreaterThan(10_000);
    int inTime = 2 * header;

    assertIsLate(slowAfter(inTime), type, image);
    assertThat(readings).hasValue(inTime + 1);
  }

  /** Each scan of a few bytes goes over all pixels. */
  @Test
  void progressiveImageThatTakesTooLong_isRefusedBetweenItsScans() {
    byte[] scans = SampleImages.progressiveJpeg(2_000, 2_000);
    int header = readingsOfHeader(ImageType.JPEG, scans);
    int all = readingsOf(scans);
    assertThat(all).isGreaterThan(2 * header);

    assertIsLate(slowAfter(all - 1), ImageType.JPEG, scans);
  }

  /** The image may be a good one, on a machine that is busy. So its upload stays. */
  private static void assertIsLate(Images slow, ImageType type, byte[] image) {
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> slow.encode(type, image))
        .withMessage("The image takes too long to decode")
        .extracting(ProblemException::code)
        .isEqualTo(ProblemCode.MEDIA_BUSY);
  }

  private int readingsOf(byte[] jpeg) {
    images(Duration.ZERO).encode(ImageType.JPEG, jpeg);
    return readings.getAndSet(0);
  }

  @ParameterizedTest
  @EnumSource
  void imageThatTakesTooLong_isRefusedWhileItIsDecoded(ImageType type) {
    Images slow = images(Duration.ofSeconds(9));

    assertIsLate(slow, type, image(type));
    assertThat(readings).as("the begin, one in time, one too late").hasValue(3);
  }

  @ParameterizedTest
  @EnumSource
  void imageInTime_isTaken(ImageType type) {
    assertThat(images(Duration.ofNanos(1_000)).encode(type, image(type)).height()).isEqualTo(800);
    assertThat(readings.get()).isGreaterThan(3);
  }

  /** Cameras write it so, with or without a JFIF segment behind it. */
  @Test
  void imageThatBeginsWithExif_isTakenAndTurned() {
    byte[] turned = SampleImages.jpegWithExif(40, 20, 6, "");
    int exif = turned.length - SampleImages.jpeg(40, 20).length;
    byte[] begin =
        SampleImages.joined(Arrays.copyOf(turned, 2), Arrays.copyOfRange(turned, 20, 20 + exif));
    for (int rest : new int[] {2, 20}) {
      byte[] image =
          SampleImages.joined(
              begin, Arrays.copyOfRange(SampleImages.jpeg(40, 20), rest, turned.length - exif));

      assertThat(images(Duration.ZERO).encode(ImageType.JPEG, image).height()).isEqualTo(40);
    }
  }

  @Test
  void imageWithWarnings_isTaken() {
    byte[] withGarbage =
        SampleImages.joined(SampleImages.jpeg(40, 20), SampleImages.bytes(1, 2, 3));

    assertThat(images(Duration.ZERO).encode(ImageType.JPEG, withGarbage).width()).isEqualTo(40);
  }
}
