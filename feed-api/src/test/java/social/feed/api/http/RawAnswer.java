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
 * An answer in chunks on a plain socket with a small buffer, that is read when a test says so and
 * not before.
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
   * Asks.
   *
   * @param headers lines, each with its end
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

  /** Of the client. */
  public int port() {
    return socket.getLocalPort();
  }

  /** Reads what comes before the body. */
  public String head() throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf(HEAD_END) < 0) {
      head.append((char) in.read());
    }
    return head.toString();
  }

  /**
   * Reads a little of the body.
   *
   * @return how many bytes; negative where the server hung up
   */
  public int take(int most) throws IOException {
    byte[] part = new byte[most];
    int many = in.read(part);
    body.write(part, 0, Math.max(0, many));
    return many;
  }

  /** Reads until the server hangs up, in whichever way. */
  public void drain() throws IOException {
    try {
      while (take(SOCKET_BUFFER) >= 0) {
        // More may come.
      }
    } catch (SocketException reset) {
      // What came before is there.
    }
  }

  /** How many bytes of the body were read. */
  public int taken() {
    return body.size();
  }

  /** Whether the last chunk was read, by which a client knows that nothing is missing. */
  public boolean isWhole() {
    byte[] bytes = body.toByteArray();
    int from = Math.max(0, bytes.length - BODY_END.length);
    return Arrays.equals(Arrays.copyOfRange(bytes, from, bytes.length), BODY_END);
  }

  /** What was read of the body, without the framing of the chunks. */
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
