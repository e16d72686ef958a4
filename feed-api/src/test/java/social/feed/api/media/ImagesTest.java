package social.feed.api.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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
    InstantSource clock = () -> NOW.plus(step.multipliedBy(readings.getAndIncrement()));
    return new Images(
        new MediaConfiguration(
            null, 9, 25_000_000, 1, 9, 9, Duration.ofHours(1), Duration.ofHours(1)),
        clock);
  }

  private static byte[] image(ImageType type) {
    return switch (type) {
      case JPEG -> SampleImages.jpeg(400, 200);
      case PNG -> SampleImages.png(400, 200);
      case GIF -> SampleImages.gif(400, 200);
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
    assertThat(images(Duration.ofMillis(1)).encode(type, image(type)).height()).isEqualTo(200);
    assertThat(readings.get()).isGreaterThan(3);
  }

  @Test
  void imageWithWarnings_isTaken() {
    byte[] withGarbage =
        SampleImages.joined(SampleImages.jpeg(40, 20), SampleImages.bytes(1, 2, 3));

    assertThat(images(Duration.ZERO).encode(ImageType.JPEG, withGarbage).width()).isEqualTo(40);
  }
}
