package social.feed.api.media;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import net.coobird.thumbnailator.Thumbnails;
import net.coobird.thumbnailator.util.exif.ExifFilterUtils;
import net.coobird.thumbnailator.util.exif.Orientation;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.table.media.ImageSize;

/**
 * Checks and encodes images. Every size is encoded again from the pixels, so nothing else of the
 * upload is kept: no location, no comment, nothing before or behind the image. The orientation that
 * a camera notes is applied first. Of an animation only the first image is kept. Work and memory
 * are bounded by the pixels, so what multiplies them is refused before it is decoded. Up to nine
 * bytes of memory a pixel: coefficients and pixels of a progressive JPEG.
 */
@Singleton
final class Images {
  /**
   * Words of the decoder about an image that ends too early, of which it makes up the rest, and
   * about scans in an order that no encoder writes.
   */
  private static final List<String> REFUSED =
      List.of("Truncated", "Premature", "Inconsistent progression");

  /** The decoder goes over the whole image for each scan. Encoders write about ten. */
  private static final int SCANS_MAX = 64;

  /** Files of cameras and editors have a few dozen, large ones of metadata some hundreds. */
  private static final int SEGMENTS_MAX = 1_000;

  private static final int BITS_MAX = 8;

  private static final Duration DECODED_WITHIN = Duration.ofSeconds(10);

  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  private static final double QUALITY = 0.87;

  private final long maxPixels;
  private final LongSupplier nanoTime;

  @Inject
  Images(MediaConfiguration configuration) {
    this(configuration, System::nanoTime);
  }

  /**
   * @param nanoTime as {@link System#nanoTime}; tests let it pass
   */
  Images(MediaConfiguration configuration, LongSupplier nanoTime) {
    this.maxPixels = configuration.maxPixels();
    this.nanoTime = nanoTime;
    ImageIO.setUseCache(false);
  }

  /**
   * An image in all sizes.
   *
   * @param width of the original, as it is displayed
   * @param height of the original, as it is displayed
   * @param sizes the encoded bytes
   */
  record Encoded(int width, int height, Map<ImageSize, byte[]> sizes) {}

  /**
   * Checks an upload and encodes it.
   *
   * @throws ProblemException {@code media_mismatch} when it is of another type, {@code
   *     media_refused} when it has too many pixels, segments, scans or bits, or cannot be decoded,
   *     {@code media_busy} when it cannot be decoded in time: on a busy machine that says nothing
   *     about the image
   */
  Encoded encode(ImageType type, byte[] upload) {
    if (!type.begins(upload)) {
      throw new ProblemException(
          ProblemCode.MEDIA_MISMATCH, "The content of the upload is not " + type.contentType());
    }
    try {
      return encoded(type, decoded(type, upload));
    } catch (IOException | RuntimeException e) {
      // The decoders fail with both on damaged images.
      if (e instanceof ProblemException problem) {
        throw problem;
      }
      throw damaged();
    }
  }

  private BufferedImage decoded(ImageType type, byte[] upload) throws IOException {
    Orientation orientation = type == ImageType.JPEG ? orientation(upload) : null;
    ImageReader reader = ImageIO.getImageReadersByFormatName(type.format()).next();
    var input = new TimedInput(upload, nanoTime, nanoTime.getAsLong() + DECODED_WITHIN.toNanos());
    BufferedImage image;
    try (input) {
      List<String> refused = new ArrayList<>();
      reader.addIIOReadWarningListener(
          (source, warning) -> {
            if (REFUSED.stream().anyMatch(warning::contains)) {
              refused.add(warning);
              source.abort();
            }
          });
      // Metadata are ignored: compressed ones can be bombs, and many make a tree of quadratic cost.
      reader.setInput(input, true, true);
      requireAtMost(maxPixels, (long) reader.getWidth(0) * reader.getHeight(0), "pixels");
      if (type == ImageType.PNG) {
        requireAtMost(BITS_MAX, reader.getImageTypes(0).next().getBitsPerBand(0), "bits a channel");
      }
      image = reader.read(0);
      if (!refused.isEmpty()) {
        throw damaged();
      }
    } catch (IOException | RuntimeException e) {
      if (input.isLate()) {
        throw new ProblemException(
            ProblemCode.MEDIA_BUSY, "The image takes too long to decode", RETRY_AFTER);
      }
      throw e;
    } finally {
      reader.dispose();
    }
    return orientation == null
        ? image
        : ExifFilterUtils.getFilterForOrientation(orientation).apply(image);
  }

  /** Returns how to turn a JPEG, after its markers were checked. */
  private static @Nullable Orientation orientation(byte[] jpeg) {
    JpegMarkers markers = JpegMarkers.of(jpeg);
    requireAtMost(SCANS_MAX, markers.scans(), "scans");
    requireAtMost(SEGMENTS_MAX, markers.segments(), "segments");
    if (markers.scans() == 0) {
      throw damaged();
    }
    return markers.orientation();
  }

  private static void requireAtMost(long max, long number, String what) {
    if (number > max) {
      throw new ProblemException(
          ProblemCode.MEDIA_REFUSED,
          "The image has %d %s, and may have %d".formatted(number, what, max));
    }
  }

  private static Encoded encoded(ImageType type, BufferedImage image) throws IOException {
    Map<ImageSize, byte[]> sizes = new EnumMap<>(ImageSize.class);
    for (ImageSize size : ImageSize.values()) {
      sizes.put(size, encoded(type, image, size.max()));
    }
    return new Encoded(image.getWidth(), image.getHeight(), sizes);
  }

  private static byte[] encoded(ImageType type, BufferedImage image, int max) throws IOException {
    double scale = Math.min(1, (double) max / Math.max(image.getWidth(), image.getHeight()));
    var bytes = new ByteArrayOutputStream();
    var encoding =
        Thumbnails.of(image)
            .forceSize(
                Math.max(1, (int) Math.round(image.getWidth() * scale)),
                Math.max(1, (int) Math.round(image.getHeight() * scale)))
            .outputFormat(type.format());
    if (type == ImageType.JPEG) {
      encoding.outputQuality(QUALITY);
    }
    encoding.toOutputStream(bytes);
    return bytes.toByteArray();
  }

  private static ProblemException damaged() {
    return new ProblemException(ProblemCode.MEDIA_REFUSED, "The image cannot be decoded");
  }
}
