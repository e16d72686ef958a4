package social.feed.table.row;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Distributes keys over partitions, the same way in every version and language. */
final class KeySharding {
  private KeySharding() {}

  /** Returns the CRC-32 of the UTF-8 bytes, modulo the number of partitions. */
  static int of(String text, int partitions) {
    var crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return (int) (crc.getValue() % partitions);
  }
}
