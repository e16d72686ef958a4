package social.feed.search.lucene;

import java.io.IOException;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.uhighlight.Passage;
import org.apache.lucene.search.uhighlight.PassageFormatter;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;
import org.apache.lucene.search.uhighlight.WholeBreakIterator;
import social.feed.search.Highlight;
import social.feed.search.SearchIndex;

/** Finds the words of a search in a text that was read from the table. No index is involved. */
final class Highlights {
  private static final String FIELD = "text";

  private Highlights() {}

  /**
   * Returns where the words occur, in order and without overlaps.
   *
   * @throws IllegalArgumentException if the words are too long
   */
  static List<Highlight> in(String text, String words) throws IOException {
    SearchIndex.checkWords(words);
    var queries = QueryWords.queries(FIELD, words);
    if (queries.isEmpty() || text.isEmpty()) {
      return List.of();
    }
    var all = new BooleanQuery.Builder();
    queries.forEach(query -> all.add(query, Occur.SHOULD));
    var highlighter =
        UnifiedHighlighter.builderWithoutSearcher(WordAnalyzer.ofWords())
            .withBreakIterator(Highlights::whole)
            .withFormatter(new Ranges())
            .withMaxLength(text.length() + 1)
            .build();
    var found = highlighter.highlightWithoutSearcher(FIELD, all.build(), text, 1);
    return found instanceof Found(var ranges) ? ranges : List.of();
  }

  private static BreakIterator whole() {
    return new WholeBreakIterator();
  }

  private record Found(List<Highlight> ranges) {}

  /** Joins what overlaps, as neighbouring pairs of characters do. */
  private static final class Ranges extends PassageFormatter {
    @Override
    public Object format(Passage[] passages, String content) {
      var ranges = new ArrayList<Highlight>();
      for (var passage : passages) {
        for (int i = 0; i < passage.getNumMatches(); i++) {
          add(ranges, new Highlight(passage.getMatchStarts()[i], passage.getMatchEnds()[i]));
        }
      }
      return new Found(List.copyOf(ranges));
    }

    private static void add(List<Highlight> ranges, Highlight next) {
      if (!ranges.isEmpty() && next.from() < ranges.getLast().to()) {
        var last = ranges.removeLast();
        ranges.add(new Highlight(last.from(), Math.max(last.to(), next.to())));
      } else {
        ranges.add(next);
      }
    }
  }
}
