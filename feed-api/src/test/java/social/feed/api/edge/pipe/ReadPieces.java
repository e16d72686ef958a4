package social.feed.api.edge.pipe;

import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;

/** Reads a pipe without a connection. */
public final class ReadPieces {
  private ReadPieces() {}

  /** Returns a list that gets each piece as soon as it is sent. */
  public static List<byte[]> of(Pipe pipe) {
    var pieces = new ArrayList<byte[]>();
    var _ = Flux.from(pipe.pieces()).subscribe(pieces::add);
    return pieces;
  }
}
