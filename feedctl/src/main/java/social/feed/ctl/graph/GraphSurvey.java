package social.feed.ctl.graph;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a file holds, known after reading it once. The ids stay in memory, some hundred bytes each;
 * the edges do not.
 *
 * @param accounts every id, in the order of its first line
 * @param edges lines with an edge, repeats included
 * @param bad how many lines cannot be read
 * @param examples the first of those
 */
public record GraphSurvey(
    Set<String> accounts, long edges, long bad, List<EdgeFile.Line.Bad> examples) {
  private static final int EXAMPLES = 20;

  static GraphSurvey of(EdgeFile file) {
    var accounts = new LinkedHashSet<String>();
    var examples = new ArrayList<EdgeFile.Line.Bad>();
    var counts = new long[2];
    try (var lines = file.lines()) {
      lines.forEach(
          line -> {
            switch (line) {
              case EdgeFile.Line.Edge(var follower, var followee) -> {
                counts[0]++;
                accounts.add(follower);
                accounts.add(followee);
              }
              case EdgeFile.Line.Bad bad -> {
                counts[1]++;
                if (examples.size() < EXAMPLES) {
                  examples.add(bad);
                }
              }
            }
          });
    }
    return new GraphSurvey(accounts, counts[0], counts[1], List.copyOf(examples));
  }
}
