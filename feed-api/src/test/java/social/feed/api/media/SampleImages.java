package social.feed.api.media;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.zip.CRC32;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Images that tests upload. The left half is red, the rest is noise, which does not compress. */
final class SampleImages {
  private static final int SEGMENT = 2;

  /** The first segment of a JPEG, which another one may not precede. */
  private static final int JFIF_END = 20;

  private SampleImages() {}

  static byte[] jpeg(int width, int height) {
    return encoded("jpeg", width, height);
  }

  static byte[] png(int width, int height) {
    return encoded("png", width, height);
  }

  static byte[] gif(int width, int height) {
    return encoded("gif", width, height);
  }

  private static byte[] encoded(String format, int width, int height) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
    var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int x = 0; x < width; x++) {
      for (int y = 0; y < height; y++) {
        image.setRGB(x, y, x < width / 2 ? Color.RED.getRGB() : random.nextInt());
      }
    }
    var bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, format, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Returns a JPEG whose Exif segment says how to turn it, and contains a text. */
  static byte[] jpegWithExif(int width, int height, int orientation, String text) {
    byte[] words = text.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer tiff = ByteBuffer.allocate(26 + words.length);
    tiff.put("MM".getBytes(StandardCharsets.US_ASCII)).putShort((short) 42).putInt(8);
    tiff.putShort((short) 1);
    tiff.putShort((short) 0x0112).putShort((short) 3).putInt(1);
    tiff.putShort((short) orientation).putShort((short) 0);
    tiff.putInt(0).put(words);
    byte[] exif = joined("Exif\0\0".getBytes(StandardCharsets.US_ASCII), tiff.array());
    int length = exif.length + SEGMENT;
    byte[] jpeg = jpeg(width, height);
    return joined(
        Arrays.copyOf(jpeg, JFIF_END),
        bytes(0xff, 0xe1, length >> 8, length & 0xff),
        exif,
        Arrays.copyOfRange(jpeg, JFIF_END, jpeg.length));
  }

  /** Returns a JPEG that is written in several scans, as for slow connections. */
  static byte[] progressiveJpeg(int width, int height) {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    var bytes = new ByteArrayOutputStream();
    try (var out = new MemoryCacheImageOutputStream(bytes)) {
      writer.setOutput(out);
      ImageWriteParam parameters = writer.getDefaultWriteParam();
      parameters.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
      var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
      writer.write(null, new IIOImage(image, null, null), parameters);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      writer.dispose();
    }
    return bytes.toByteArray();
  }

  /** Returns a progressive JPEG whose last scan comes again and again. */
  static byte[] jpegOfScans(int scans) {
    byte[] jpeg = progressiveJpeg(64, 64);
    int begin = lastScan(jpeg);
    byte[] scan = Arrays.copyOfRange(jpeg, begin, jpeg.length - SEGMENT);
    var all = new ByteArrayOutputStream();
    all.writeBytes(Arrays.copyOf(jpeg, begin));
    for (int i = 0; i < scans; i++) {
      all.writeBytes(scan);
    }
    all.writeBytes(bytes(0xff, 0xd9));
    return all.toByteArray();
  }

  /** Returns a JPEG with further segments of six bytes, which say where a decoder may restart. */
  static byte[] jpegOfSegments(int segments) {
    byte[] jpeg = jpeg(64, 64);
    ByteBuffer more = ByteBuffer.allocate(segments * 6);
    for (int i = 0; i < segments; i++) {
      more.put(bytes(0xff, 0xdd, 0, 4, 0, 0));
    }
    return joined(
        Arrays.copyOf(jpeg, JFIF_END),
        more.array(),
        Arrays.copyOfRange(jpeg, JFIF_END, jpeg.length));
  }

  private static int lastScan(byte[] jpeg) {
    int at = jpeg.length - SEGMENT;
    while ((jpeg[at] & 0xff) != 0xff || (jpeg[at + 1] & 0xff) != 0xda) {
      at--;
    }
    return at;
  }

  /** Returns a PNG whose pixels take twice the memory. */
  static byte[] pngOf16Bits() {
    var bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(new BufferedImage(4, 3, BufferedImage.TYPE_USHORT_GRAY), "png", bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Returns a PNG that declares its dimensions and has no pixels. */
  static byte[] pngHeader(int width, int height) {
    byte[] head =
        ByteBuffer.allocate(17)
            .put("IHDR".getBytes(StandardCharsets.US_ASCII))
            .putInt(width)
            .putInt(height)
            .put(bytes(8, 2, 0, 0, 0))
            .array();
    return joined(
        bytes(0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13),
        head,
        crc(head),
        bytes(0, 0, 0, 0),
        "IDAT".getBytes(StandardCharsets.US_ASCII),
        crc("IDAT".getBytes(StandardCharsets.US_ASCII)));
  }

  /** Returns a GIF that declares its dimensions and has no pixels. */
  static byte[] gifHeader(int low, int high) {
    return joined(
        "GIF89a".getBytes(StandardCharsets.US_ASCII),
        bytes(low, high, low, high, 0x80, 0, 0, 0, 0, 0, 255, 255, 255),
        bytes(0x2c, 0, 0, 0, 0, low, high, low, high, 0, 2, 1, 0x44, 0, 0x3b));
  }

  private static byte[] crc(byte[] chunk) {
    var crc = new CRC32();
    crc.update(chunk);
    return ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array();
  }

  static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  static byte[] joined(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
