package social.feed.api.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A chunked response on a plain socket with a small buffer. It is read only when a test calls a
 * method.
 */
public final class RawAnswer implements AutoCloseable {
  private static final int SOCKET_BUFFER = 4 * 1024;
  private static final int PATIENCE_MILLIS = 30_000;
  private static final String HEAD_END = "\r\n\r\n";
  private static final byte[] BODY_END = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Socket socket = new Socket();
  private final InputStream in;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();

  /**
   * Sends the request.
   *
   * @param headers header lines, each with its line end
   */
  public RawAnswer(URI server, String path, String token, String headers) throws IOException {
    socket.setReceiveBufferSize(SOCKET_BUFFER);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(new InetSocketAddress(server.getHost(), server.getPort()));
    String request = "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n%s\r\n";
    socket
        .getOutputStream()
        .write(request.formatted(path, token, headers).getBytes(StandardCharsets.UTF_8));
    in = socket.getInputStream();
  }

  /** The client's port. */
  public int port() {
    return socket.getLocalPort();
  }

  /** Reads the status line and the headers. */
  public String head() throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf(HEAD_END) < 0) {
      head.append((char) in.read());
    }
    return head.toString();
  }

  /**
   * Reads a part of the body.
   *
   * @return number of bytes; negative where the server closed the connection
   */
  public int take(int most) throws IOException {
    byte[] part = new byte[most];
    int count = in.read(part);
    body.write(part, 0, Math.max(0, count));
    return count;
  }

  /** Reads until the server closes or resets the connection. */
  public void drain() throws IOException {
    try {
      while (take(SOCKET_BUFFER) >= 0) {
        // Reads on.
      }
    } catch (SocketException reset) {
      // The bytes before the reset were read.
    }
  }

  /** Number of bytes of the body read so far. */
  public int taken() {
    return body.size();
  }

  /** Whether the last chunk was read, which marks a complete body. */
  public boolean isWhole() {
    byte[] bytes = body.toByteArray();
    int from = Math.max(0, bytes.length - BODY_END.length);
    return Arrays.equals(Arrays.copyOfRange(bytes, from, bytes.length), BODY_END);
  }

  /** The body read so far, without the framing of the chunks. */
  public String text() {
    byte[] bytes = body.toByteArray();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    int at = 0;
    while (at < bytes.length) {
      int start = at;
      while (start < bytes.length && bytes[start] != '\n') {
        start++;
      }
      if (start == bytes.length) {
        break;
      }
      String size = new String(bytes, at, start - 1 - at, StandardCharsets.US_ASCII);
      int length = HexFormat.fromHexDigits(size);
      text.write(bytes, start + 1, Math.min(length, bytes.length - start - 1));
      at = start + 1 + length + 2;
    }
    return text.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
