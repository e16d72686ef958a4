package social.feed.api.media;

import java.io.IOException;
import java.util.function.LongSupplier;
import javax.imageio.stream.ImageInputStreamImpl;

/**
 * Bytes that can be read until a time, a few at a time. It ends a decoder that takes too long, also
 * one in native code, which calls no listener while it reads a progressive image. Nothing reads
 * ahead of the decoder, as a cache would: a decoder that has all bytes would meet no limit.
 */
final class TimedInput extends ImageInputStreamImpl {
  /** A scan of a large image can take seconds, and have less than a hundred bytes. */
  private static final int AT_ONCE = 256;

  private final byte[] bytes;
  private final LongSupplier nanoTime;
  private final long end;
  private boolean isLate;

  /**
   * @param nanoTime as {@link System#nanoTime}, so that a step of the clock ends no decoder
   * @param end by that time
   */
  TimedInput(byte[] bytes, LongSupplier nanoTime, long end) {
    this.bytes = bytes;
    this.nanoTime = nanoTime;
    this.end = end;
  }

  /** Whether the decoder was ended because it took too long. It may say that otherwise. */
  boolean isLate() {
    return isLate;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    checkClosed();
    bitOffset = 0;
    if (nanoTime.getAsLong() - end > 0) {
      isLate = true;
      throw new IOException("The image takes too long to decode");
    }
    int at = (int) Math.min(streamPos, bytes.length);
    int read = Math.min(Math.min(length, AT_ONCE), bytes.length - at);
    if (read == 0 && length > 0) {
      return -1;
    }
    System.arraycopy(bytes, at, buffer, offset, read);
    streamPos += read;
    return read;
  }

  @Override
  public long length() {
    return bytes.length;
  }
}
