package social.feed.api.export;

import io.micronaut.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.api.edge.pipe.Pipe;
import social.feed.table.row.Row;

/**
 * Sends an export to a client. The next page of the table is read after the previous one is sent,
 * so neither a large account nor a slow client increases memory. The last line contains the number
 * of lines; without it the export is incomplete.
 */
final class Export implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Export.class);

  /** Bytes per send; small, so that a slow client shows progress. */
  private static final int CHUNK = 8 * 1024;

  private final Iterator<List<Row>> pages;
  private final ExportLines lines;
  private final JsonMapper json;
  private final InstantSource clock;
  private final ExportConfiguration configuration;
  private final Consumer<Boolean> onEnd;
  private final Pipe pipe = new Pipe();

  /** Time spent on waiting for the client. */
  private Duration waited = Duration.ZERO;

  /**
   * @param configuration limits the time that a client may take
   * @param onEnd runs once, before the client sees the end; takes whether the server broke the
   *     export off
   */
  Export(
      Iterator<List<Row>> pages,
      ExportLines lines,
      JsonMapper json,
      InstantSource clock,
      ExportConfiguration configuration,
      Consumer<Boolean> onEnd) {
    this.pages = pages;
    this.lines = lines;
    this.json = json;
    this.clock = clock;
    this.configuration = configuration;
    this.onEnd = onEnd;
  }

  Pipe pipe() {
    return pipe;
  }

  @Override
  public void run() {
    Runnable end = pipe::hangUp;
    boolean hasFailed = true;
    try {
      if (sendAll()) {
        end = pipe::complete;
      }
      hasFailed = false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      LOG.error("An export ends because of a failure", e);
      end = () -> pipe.breakOff(e);
    } finally {
      onEnd.accept(hasFailed);
      end.run();
    }
  }

  /** Returns whether the client received everything. */
  private boolean sendAll() throws IOException, InterruptedException {
    long sent = 0;
    while (pages.hasNext()) {
      var page = pages.next().stream().map(lines::of).flatMap(line -> line.stream()).toList();
      if (!send(page)) {
        return false;
      }
      sent += page.size();
    }
    var end = ExportLines.line("end");
    end.put("lines", sent);
    return send(List.of(end));
  }

  private boolean send(List<Map<String, Object>> page) throws IOException, InterruptedException {
    byte[] bytes = bytes(page);
    for (int from = 0; from < bytes.length; from += CHUNK) {
      int to = Math.min(bytes.length, from + CHUNK);
      if (!send(Arrays.copyOfRange(bytes, from, to))) {
        return false;
      }
    }
    return true;
  }

  /** The total limit stops a client that reads a little just before each patience ends. */
  private boolean send(byte[] chunk) throws InterruptedException {
    Duration left = configuration.waits().minus(waited);
    Duration patience = configuration.patience();
    Instant begin = clock.instant();
    boolean isTaken = pipe.send(chunk, left.compareTo(patience) < 0 ? left : patience);
    waited = waited.plus(Duration.between(begin, clock.instant()));
    return isTaken;
  }

  /** Returns a blank line for an empty page, so that a long scan without matches sends data. */
  private byte[] bytes(List<Map<String, Object>> page) throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (var line : page) {
      bytes.write(json.writeValueAsBytes(line));
      bytes.write('\n');
    }
    if (page.isEmpty()) {
      bytes.write('\n');
    }
    return bytes.toByteArray();
  }
}
