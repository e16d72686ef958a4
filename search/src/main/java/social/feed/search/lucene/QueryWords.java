package social.feed.search.lucene;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import social.feed.search.SearchIndex;

/**
 * Reads what a user searches for. Quotation marks keep words together; one that is not closed
 * counts as a space, and no other character has a meaning.
 */
final class QueryWords {
  private static final Pattern MARK = Pattern.compile("[\"\u201c\u201d\u201e\u00ab\u00bb]");
  private static final Pattern SPACE = Pattern.compile("[\\s\\p{Z}]+");

  private QueryWords() {}

  /** The queries that all must match. */
  static List<Query> queries(String field, String text) throws IOException {
    var queries = new ArrayList<Query>();
    for (var group : groups(text)) {
      queries.add(
          group.size() == 1
              ? new TermQuery(new Term(field, group.getFirst()))
              : new PhraseQuery(field, group.toArray(String[]::new)));
    }
    return queries;
  }

  /**
   * The terms that must be neighbours, in groups that must all occur; none if they are too many.
   */
  static List<List<String>> groups(String text) throws IOException {
    var groups = new ArrayList<List<String>>();
    int number = 0;
    for (var part : parts(text)) {
      var group = terms(part);
      number += group.size();
      if (!group.isEmpty()) {
        groups.add(group);
      }
    }
    return number > SearchIndex.MAX_TERMS ? List.of() : groups;
  }

  private static List<String> parts(String text) {
    var parts = new ArrayList<String>();
    var pieces = MARK.split(text, -1);
    for (int i = 0; i < pieces.length; i++) {
      boolean isQuoted = i % 2 == 1 && i < pieces.length - 1;
      parts.addAll(isQuoted ? List.of(pieces[i]) : List.of(SPACE.split(pieces[i])));
    }
    return parts;
  }

  /** The longest term of each place: of a character and the pair that begins with it, the pair. */
  static List<String> terms(String text) throws IOException {
    return SearchTerms.places(text).stream().map(List::getLast).toList();
  }
}
