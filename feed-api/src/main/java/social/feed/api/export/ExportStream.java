package social.feed.api.export;

import io.micronaut.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import social.feed.table.row.Row;

/**
 * An export as bytes. The next page of the table is read when the one before has been sent, so
 * memory does not grow with what somebody has, nor with a client that is slow. The last line says
 * how many there were: without it the export was cut off.
 */
final class ExportStream extends InputStream {
  private final Iterator<List<Row>> pages;
  private final ExportLines lines;
  private final JsonMapper json;
  private final Runnable onBegin;
  private final Runnable onEnd;
  private byte[] page = {};
  private int sent;
  private long written;
  private State state = State.NEW;

  private enum State {
    NEW,
    OPEN,
    ENDED,
    CLOSED
  }

  /**
   * @param onBegin is run before the first page is read, which may never be
   * @param onEnd is run once after that
   */
  ExportStream(
      Iterator<List<Row>> pages,
      ExportLines lines,
      JsonMapper json,
      Runnable onBegin,
      Runnable onEnd) {
    this.pages = pages;
    this.lines = lines;
    this.json = json;
    this.onBegin = onBegin;
    this.onEnd = onEnd;
  }

  @Override
  public int read() throws IOException {
    return fill() ? Byte.toUnsignedInt(page[sent++]) : -1;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, page.length - sent);
    System.arraycopy(page, sent, into, from, count);
    sent += count;
    return count;
  }

  /** Whether there is something to send. */
  private boolean fill() throws IOException {
    if (state == State.NEW) {
      state = State.OPEN;
      onBegin.run();
    }
    while (sent == page.length && state == State.OPEN) {
      try {
        page = next();
      } catch (RuntimeException e) {
        // Of what a stream throws, the framework ends an answer only for this.
        throw new IOException("An export breaks off", e);
      }
      sent = 0;
    }
    return sent < page.length;
  }

  private byte[] next() throws IOException {
    if (pages.hasNext()) {
      var found = pages.next().stream().map(lines::of).flatMap(line -> line.stream()).toList();
      written += found.size();
      return bytes(found);
    }
    state = State.ENDED;
    var end = ExportLines.line("end");
    end.put("lines", written);
    return bytes(List.of(end));
  }

  /** Blank for a page without lines, so that a walk without finds is no silence. */
  private byte[] bytes(List<Map<String, Object>> found) throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (var line : found) {
      bytes.write(json.writeValueAsBytes(line));
      bytes.write('\n');
    }
    if (found.isEmpty()) {
      bytes.write('\n');
    }
    return bytes.toByteArray();
  }

  /** Also when the client went away. */
  @Override
  public void close() {
    boolean begun = state == State.OPEN || state == State.ENDED;
    state = State.CLOSED;
    page = new byte[] {};
    sent = 0;
    if (begun) {
      onEnd.run();
    }
  }
}
