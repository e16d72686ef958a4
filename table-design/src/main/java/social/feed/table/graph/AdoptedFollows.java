package social.feed.table.graph;

import java.util.List;
import java.util.stream.Stream;
import social.feed.table.row.Follow;

/**
 * The result of an import of edges.
 *
 * @param written how many edges were new
 * @param blocked the edges that were left out, because one of the two accounts blocks the other
 */
public record AdoptedFollows(int written, List<Follow> blocked) {
  public AdoptedFollows {
    blocked = List.copyOf(blocked);
  }

  AdoptedFollows and(AdoptedFollows other) {
    return new AdoptedFollows(
        written + other.written, Stream.concat(blocked.stream(), other.blocked.stream()).toList());
  }
}
