package social.feed.api.live;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client of a stream on a plain socket, that reads when it is told to and not before. */
final class RawStream implements AutoCloseable {
  private static final int SOCKET_BUFFER = 4 * 1024;
  private static final int PATIENCE_MILLIS = 30_000;
  private static final String HEAD_END = "\r\n\r\n";
  private static final Pattern POST = Pattern.compile("\"id\":\"([0-9A-Z]{26})\"");

  private final Socket socket = new Socket();
  private final InputStream in;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();

  /** One post, and the id with which the client may come back after it. */
  record Entry(String id, String postId) {}

  RawStream(URI server, String token, String lastId) throws IOException {
    socket.setReceiveBufferSize(SOCKET_BUFFER);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(new InetSocketAddress(server.getHost(), server.getPort()));
    String request =
        "GET /v1/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nLast-Event-ID: %s\r\n\r\n";
    socket
        .getOutputStream()
        .write(request.formatted(token, lastId).getBytes(StandardCharsets.UTF_8));
    in = socket.getInputStream();
  }

  int port() {
    return socket.getLocalPort();
  }

  /** Reads what comes before the first event. */
  String head() throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf(HEAD_END) < 0) {
      head.append((char) in.read());
    }
    return head.toString();
  }

  /**
   * Reads a little of the body.
   *
   * @return how many bytes; negative at its end
   */
  int take(int most) throws IOException {
    byte[] part = new byte[most];
    int many = in.read(part);
    body.write(part, 0, Math.max(0, many));
    return many;
  }

  /** Reads what is left, however the server hung up. */
  void drain() throws IOException {
    try {
      while (take(SOCKET_BUFFER) >= 0) {
        // More may come.
      }
    } catch (SocketException reset) {
      // What came before is there.
    }
  }

  /** Of the data of an event. */
  static String postId(String data) {
    Matcher post = POST.matcher(data);
    if (!post.find()) {
      throw new AssertionError("No post: " + data);
    }
    return post.group(1);
  }

  /** How many bytes of the body were read. */
  int taken() {
    return body.size();
  }

  /** The posts of which the whole event was read. */
  List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (String block : (text() + "\0").split("\n\n")) {
      boolean isWhole = !block.endsWith("\0");
      if (isWhole && block.contains("event: feed_entry")) {
        entries.add(new Entry(field(block, "id: "), postId(field(block, "data: "))));
      }
    }
    return entries;
  }

  private static String field(String block, String name) {
    String line = block.lines().filter(l -> l.startsWith(name)).findFirst().orElseThrow();
    return line.substring(name.length());
  }

  /** Without the framing of the chunks. */
  private String text() {
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
