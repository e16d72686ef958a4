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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.api.edge.pipe.Pipe;
import social.feed.table.row.Row;

/**
 * An export on its way to a client. The next page of the table is read when the one before has been
 * sent, so memory does not grow with what somebody has, nor with a client that is slow. The last
 * line says how many there were: without it the export was cut off.
 */
final class Export implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Export.class);

  /** So much at once, that a slow client is seen to read. */
  private static final int PIECE = 8 * 1024;

  private final Iterator<List<Row>> pages;
  private final ExportLines lines;
  private final JsonMapper json;
  private final InstantSource clock;
  private final ExportConfiguration configuration;
  private final Runnable onEnd;
  private final Pipe pipe = new Pipe();

  /** For the client, so far. */
  private Duration waited = Duration.ZERO;

  /**
   * @param configuration says how long a client may take
   * @param onEnd is run once, before the client can know of the end
   */
  Export(
      Iterator<List<Row>> pages,
      ExportLines lines,
      JsonMapper json,
      InstantSource clock,
      ExportConfiguration configuration,
      Runnable onEnd) {
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
    try {
      if (sendAll()) {
        end = pipe::complete;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      LOG.error("An export breaks off", e);
      end = () -> pipe.breakOff(e);
    } finally {
      onEnd.run();
      end.run();
    }
  }

  /** Whether the client took all of it. */
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
    for (int from = 0; from < bytes.length; from += PIECE) {
      int to = Math.min(bytes.length, from + PIECE);
      if (!send(Arrays.copyOfRange(bytes, from, to))) {
        return false;
      }
    }
    return true;
  }

  /** Somebody who takes a little each time just before the patience ends would keep a place. */
  private boolean send(byte[] piece) throws InterruptedException {
    Duration left = configuration.waits().minus(waited);
    Duration patience = configuration.patience();
    Instant begin = clock.instant();
    boolean isTaken = pipe.send(piece, left.compareTo(patience) < 0 ? left : patience);
    waited = waited.plus(Duration.between(begin, clock.instant()));
    return isTaken;
  }

  /** Blank for a page without lines, so that a walk without finds is no silence. */
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
