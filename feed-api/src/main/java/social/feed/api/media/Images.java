package social.feed.api.media;

import jakarta.inject.Singleton;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.event.IIOReadWarningListener;
import javax.imageio.stream.MemoryCacheImageInputStream;
import net.coobird.thumbnailator.Thumbnails;
import net.coobird.thumbnailator.util.exif.ExifFilterUtils;
import net.coobird.thumbnailator.util.exif.ExifUtils;
import net.coobird.thumbnailator.util.exif.Orientation;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;

/**
 * Checks and encodes images. Every size is encoded again from the pixels, so nothing else of the
 * upload is kept: no location, no comment, nothing before or behind the image. The orientation that
 * a camera notes is applied first. Of an animation only the first image is kept.
 */
@Singleton
final class Images {
  /** Words of the decoder about an image that ends too early, of which it makes up the rest. */
  private static final List<String> TRUNCATED = List.of("Truncated", "Premature");

  private static final double QUALITY = 0.87;

  private final long maxPixels;

  /** Decoded images are large, so a process decodes one at a time. */
  private final Semaphore turn = new Semaphore(1, true);

  Images(MediaConfiguration configuration) {
    this.maxPixels = configuration.maxPixels();
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
   *     media_refused} when it has too many pixels or cannot be decoded
   */
  Encoded encode(ImageType type, byte[] upload) {
    if (!type.begins(upload)) {
      throw new ProblemException(
          ProblemCode.MEDIA_MISMATCH, "The content of the upload is not " + type.contentType());
    }
    turn.acquireUninterruptibly();
    try {
      return encoded(type, decoded(type, upload));
    } catch (IOException | RuntimeException e) {
      // The decoders fail with both on damaged images.
      if (e instanceof ProblemException problem) {
        throw problem;
      }
      throw damaged();
    } finally {
      turn.release();
    }
  }

  private BufferedImage decoded(ImageType type, byte[] upload) throws IOException {
    ImageReader reader = ImageIO.getImageReadersByFormatName(type.format()).next();
    try (var input = new MemoryCacheImageInputStream(new ByteArrayInputStream(upload))) {
      List<String> warnings = new ArrayList<>();
      IIOReadWarningListener listener = (_, warning) -> warnings.add(warning);
      reader.addIIOReadWarningListener(listener);
      // Only the metadata of cameras are read; compressed ones of other types can be bombs.
      reader.setInput(input, true, type != ImageType.JPEG);
      long pixels = (long) reader.getWidth(0) * reader.getHeight(0);
      if (pixels > maxPixels) {
        throw new ProblemException(
            ProblemCode.MEDIA_REFUSED,
            "The image has %d pixels, and may have %d".formatted(pixels, maxPixels));
      }
      Orientation orientation =
          type == ImageType.JPEG ? ExifUtils.getExifOrientation(reader, 0) : null;
      BufferedImage image = reader.read(0);
      if (warnings.stream().anyMatch(warning -> TRUNCATED.stream().anyMatch(warning::contains))) {
        throw damaged();
      }
      return orientation == null
          ? image
          : ExifFilterUtils.getFilterForOrientation(orientation).apply(image);
    } finally {
      reader.dispose();
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
