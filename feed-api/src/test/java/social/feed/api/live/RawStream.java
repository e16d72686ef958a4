package social.feed.api.live;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import social.feed.api.http.RawAnswer;

/** A stream client on a plain socket that reads only when a test calls a method. */
final class RawStream implements AutoCloseable {
  private static final Pattern POST = Pattern.compile("\"id\":\"([0-9A-Z]{26})\"");

  private final RawAnswer answer;

  /** A post, and the id with which the client may reconnect after it. */
  record Entry(String id, String postId) {}

  RawStream(URI server, String token, String lastId) throws IOException {
    answer = new RawAnswer(server, "/v1/stream", token, "Last-Event-ID: " + lastId + "\r\n");
  }

  RawAnswer answer() {
    return answer;
  }

  /** Parses the data of an event. */
  static String postId(String data) {
    Matcher post = POST.matcher(data);
    if (!post.find()) {
      throw new AssertionError("No post: " + data);
    }
    return post.group(1);
  }

  /** The posts whose events were read completely. */
  List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (String block : (answer.text() + "\0").split("\n\n")) {
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

  @Override
  public void close() throws IOException {
    answer.close();
  }
}
