package social.feed.table.row;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Puts keys into one of some partitions, the same in every version and language. */
final class KeySharding {
  private KeySharding() {}

  /** CRC-32 of the UTF-8 bytes, modulo the number of partitions. */
  static int of(String text, int over) {
    var crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return (int) (crc.getValue() % over);
  }
}
