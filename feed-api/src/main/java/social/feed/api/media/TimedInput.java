package social.feed.api.media;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Bytes that can be read until a time. It ends a decoder that takes too long, also one in native
 * code, which calls no listener while it reads a progressive image.
 */
final class TimedInput extends InputStream {
  private final ByteArrayInputStream bytes;
  private final InstantSource clock;
  private final Instant end;

  TimedInput(byte[] bytes, InstantSource clock, Instant end) {
    this.bytes = new ByteArrayInputStream(bytes);
    this.clock = clock;
    this.end = end;
  }

  @Override
  public int read() throws IOException {
    requireTime();
    return bytes.read();
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    requireTime();
    return bytes.read(buffer, offset, length);
  }

  private void requireTime() throws IOException {
    if (clock.instant().isAfter(end)) {
      throw new IOException("The image takes too long to decode");
    }
  }
}
