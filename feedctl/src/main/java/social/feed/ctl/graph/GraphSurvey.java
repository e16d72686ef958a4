package social.feed.ctl.graph;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The content of a file, after one pass. The ids stay in memory, some hundred bytes each; the edges
 * do not.
 *
 * @param accounts all ids, in the order of their first line
 * @param edges the number of lines with an edge, including repeated ones
 * @param bad the number of unreadable lines
 * @param examples the first unreadable lines
 */
public record GraphSurvey(
    Set<String> accounts, long edges, long bad, List<EdgeFile.Line.Bad> examples) {
  private static final int EXAMPLES = 20;

  static GraphSurvey of(EdgeFile file) {
    var accounts = new LinkedHashSet<String>();
    var examples = new ArrayList<EdgeFile.Line.Bad>();
    long edges = 0;
    long bad = 0;
    try (var lines = file.lines()) {
      for (var line : (Iterable<EdgeFile.Line>) lines::iterator) {
        switch (line) {
          case EdgeFile.Line.Edge(var follower, var followee) -> {
            edges++;
            accounts.add(follower);
            accounts.add(followee);
          }
          case EdgeFile.Line.Bad example -> {
            bad++;
            if (examples.size() < EXAMPLES) {
              examples.add(example);
            }
          }
        }
      }
    }
    return new GraphSurvey(accounts, edges, bad, List.copyOf(examples));
  }
}
