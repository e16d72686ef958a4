package social.feed.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;

/**
 * A kept-alive HTTP/1.1 connection to a server on loopback. It reads whole responses of known
 * length and costs little itself. Not thread-safe.
 */
final class Connection implements AutoCloseable {
  private static final int BUFFER = 1 << 16;
  private static final String LENGTH = "content-length:";

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final byte[] buffer = new byte[BUFFER];
  private int filled;

  Connection(int port) throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
  }

  /** Sends a request and returns the status of the response, which it reads to its end. */
  int send(byte[] request) throws IOException {
    out.write(request);
    filled = 0;
    int end = -1;
    while (end < 0) {
      int from = Math.max(0, filled - 3);
      fill();
      end = endOfHead(from);
    }
    var head = new String(buffer, 0, end, US_ASCII);
    int status = Integer.parseInt(head.substring(9, 12));
    int rest = length(head, status) - (filled - end);
    while (rest > 0) {
      filled = 0;
      fill();
      rest -= filled;
    }
    return status;
  }

  private void fill() throws IOException {
    int read = in.read(buffer, filled, BUFFER - filled);
    if (read <= 0) {
      throw new EOFException("The server closed the connection");
    }
    filled += read;
  }

  private int endOfHead(int from) {
    for (int i = from; i + 3 < filled; i++) {
      if (buffer[i] == '\r'
          && buffer[i + 1] == '\n'
          && buffer[i + 2] == '\r'
          && buffer[i + 3] == '\n') {
        return i + 4;
      }
    }
    return -1;
  }

  private static int length(String head, int status) throws IOException {
    int at = head.toLowerCase(Locale.ROOT).indexOf(LENGTH);
    if (at < 0) {
      if (status == 204) {
        return 0;
      }
      throw new IOException("A response has no length: " + head);
    }
    int start = at + LENGTH.length();
    return Integer.parseInt(head.substring(start, head.indexOf('\r', start)).strip());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
