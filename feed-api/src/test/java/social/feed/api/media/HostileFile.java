package social.feed.api.media;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Files that someone may upload in place of an image. Each is refused with a problem when the
 * upload is completed.
 */
enum HostileFile {
  SVG_WITH_SCRIPT(
      "image/png",
      "media_mismatch",
      () -> text("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")),
  HTML_NAMED_JPEG(
      "image/jpeg", "media_mismatch", () -> text("<html><script>alert(1)</script></html>")),
  PNG_NAMED_JPEG("image/jpeg", "media_mismatch", () -> SampleImages.png(4, 3)),
  POLYGLOT_OF_GIF_AND_SCRIPT(
      "image/gif", "media_refused", () -> text("GIF89a/*\0\0\0\0\0*/=1;alert(1)//")),
  POLYGLOT_OF_JPEG_AND_HTML(
      "image/jpeg",
      "media_refused",
      () -> SampleImages.joined(SampleImages.bytes(0xff, 0xd8, 0xff), text("<html></html>"))),
  TRUNCATED_JPEG("image/jpeg", "media_refused", () -> half(SampleImages.jpeg(200, 100))),
  TRUNCATED_PNG("image/png", "media_refused", () -> half(SampleImages.png(200, 100))),
  TRUNCATED_GIF("image/gif", "media_refused", () -> half(SampleImages.gif(200, 100))),
  PNG_OF_50_000_BY_50_000(
      "image/png", "media_refused", () -> SampleImages.pngHeader(50_000, 50_000)),
  GIF_OF_65_535_BY_65_535("image/gif", "media_refused", () -> SampleImages.gifHeader(0xff, 0xff)),
  JPEG_OF_2_000_SCANS("image/jpeg", "media_refused", () -> SampleImages.jpegOfScans(2_000)),
  JPEG_OF_1_300_000_SEGMENTS(
      "image/jpeg", "media_refused", () -> SampleImages.jpegOfSegments(1_300_000)),
  JPEG_BEHIND_TABLES(
      "image/jpeg",
      "media_refused",
      () ->
          SampleImages.joined(SampleImages.bytes(0xff, 0xd8, 0xff, 0xd9), SampleImages.jpeg(4, 3))),
  PNG_OF_16_BITS("image/png", "media_refused", SampleImages::pngOf16Bits),
  ONLY_THE_BEGINNING("image/png", "media_refused", () -> Arrays.copyOf(SampleImages.png(4, 3), 8));

  private final String contentType;
  private final String code;
  private final Supplier<byte[]> content;

  HostileFile(String contentType, String code, Supplier<byte[]> content) {
    this.contentType = contentType;
    this.code = code;
    this.content = content;
  }

  String contentType() {
    return contentType;
  }

  /** The code of the problem. */
  String code() {
    return code;
  }

  byte[] content() {
    return content.get();
  }

  private static byte[] text(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static byte[] half(byte[] file) {
    return Arrays.copyOf(file, file.length / 2);
  }
}
