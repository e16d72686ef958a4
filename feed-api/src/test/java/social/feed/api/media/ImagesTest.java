package social.feed.api.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What bounds the work for one image. */
class ImagesTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final AtomicInteger readings = new AtomicInteger();

  /** The time goes on by a step whenever the decoder reads some of the upload. */
  private Images images(Duration step) {
    return images(25_000_000, () -> NOW.plus(step.multipliedBy(readings.getAndIncrement())));
  }

  private static Images images(long maxPixels, InstantSource clock) {
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
        clock);
  }

  /** The time stands still for some readings of the upload, then an hour passes. */
  private Images slowAfter(int inTime) {
    return images(
        25_000_000,
        () -> readings.getAndIncrement() < inTime ? NOW : NOW.plus(Duration.ofHours(1)));
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

    assertThatThrownBy(() -> slowAfter(inTime).encode(type, image))
        .hasMessage("The image cannot be decoded");
    assertThat(readings).hasValue(inTime + 1);
  }

  /** Each scan of a few bytes goes over all pixels. */
  @Test
  void progressiveImageThatTakesTooLong_isRefusedBetweenItsScans() {
    byte[] scans = SampleImages.progressiveJpeg(2_000, 2_000);
    int header = readingsOfHeader(ImageType.JPEG, scans);
    int all = readingsOf(scans);
    assertThat(all).isGreaterThan(2 * header);

    assertThatThrownBy(() -> slowAfter(all - 1).encode(ImageType.JPEG, scans))
        .hasMessage("The image cannot be decoded");
  }

  private int readingsOf(byte[] jpeg) {
    images(Duration.ZERO).encode(ImageType.JPEG, jpeg);
    return readings.getAndSet(0);
  }

  @ParameterizedTest
  @EnumSource
  void imageThatTakesTooLong_isRefusedWhileItIsDecoded(ImageType type) {
    Images slow = images(Duration.ofSeconds(9));

    assertThatThrownBy(() -> slow.encode(type, image(type)))
        .hasMessage("The image cannot be decoded");
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
