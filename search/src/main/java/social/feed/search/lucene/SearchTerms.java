package social.feed.search.lucene;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import social.feed.search.Highlight;
import social.feed.search.IndexedAccount;
import social.feed.search.SearchIndex;

/**
 * The terms of texts and of searches, for indexes that do not cut texts themselves. So each index
 * finds the same.
 */
public final class SearchTerms {
  private static final WordAnalyzer WORDS = WordAnalyzer.ofWords();
  private static final WordAnalyzer BEGINNINGS = WordAnalyzer.ofBeginnings();

  /** Shorter words are not misspelled. */
  private static final int ONE_ERROR = 4;

  /** From here on, words may have two errors. */
  private static final int TWO_ERRORS = 8;

  /** Terms near a misspelled one that are searched for, where the words are few. */
  private static final int MAX_NEAR = 50;

  /** Those of all words together: an index refuses a query of more than 1,024 terms. */
  private static final int MAX_NEAR_ALL = 750;

  /** The weight of a word of an account that is searched for as it is. */
  public static final int EXACT = 16;

  /** The weight of a word that only begins with it. */
  public static final int BEGINNING = 4;

  /** The weight of a word that only looks like it. */
  public static final int MISSPELLED = 1;

  private SearchTerms() {}

  /**
   * A word of a search of accounts.
   *
   * @param beginning its first characters, as many as are in an index
   * @param errors how many typing errors are forgiven
   * @param near how many terms with such errors are searched for
   */
  public record Nearby(String word, String beginning, int errors, int near) {
    static Nearby of(String word, int near) {
      int length = word.codePointCount(0, word.length());
      var beginning =
          length <= WordAnalyzer.LONGEST_BEGINNING
              ? word
              : word.substring(0, word.offsetByCodePoints(0, WordAnalyzer.LONGEST_BEGINNING));
      int errors = length < ONE_ERROR ? 0 : length < TWO_ERRORS ? 1 : 2;
      return new Nearby(word, beginning, errors, near);
    }
  }

  /**
   * Returns the terms at each place of a text. A place has two where a character of Chinese,
   * Japanese or Korean begins a pair.
   */
  public static List<List<String>> places(String text) throws IOException {
    var places = new ArrayList<List<String>>();
    try (var tokens = WORDS.tokenStream("", text)) {
      var term = tokens.addAttribute(CharTermAttribute.class);
      var place = tokens.addAttribute(PositionIncrementAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        if (place.getPositionIncrement() > 0 || places.isEmpty()) {
          places.add(new ArrayList<>());
        }
        places.getLast().add(term.toString());
      }
      tokens.end();
    }
    return places;
  }

  /**
   * Returns what a search of posts looks for: terms that must be neighbours, in groups that must
   * all occur. None where they are more than {@link SearchIndex#MAX_TERMS}.
   */
  public static List<List<String>> groups(String words) throws IOException {
    return QueryWords.groups(words);
  }

  /**
   * Returns what a search of accounts looks for. Nothing where they are more than {@link
   * SearchIndex#MAX_TERMS} words. An index looks for at most {@value #MAX_NEAR} terms near one
   * word, and for at most {@value #MAX_NEAR_ALL} near all of them. Words of fewer than {@value
   * #ONE_ERROR} characters have none, so a text of {@link SearchIndex#MAX_WORDS} has at most 51
   * words that have some.
   */
  public static List<Nearby> nearby(String words) throws IOException {
    var terms = QueryWords.terms(words);
    if (terms.isEmpty() || terms.size() > SearchIndex.MAX_TERMS) {
      return List.of();
    }
    int near = Math.min(MAX_NEAR, MAX_NEAR_ALL / terms.size());
    return terms.stream().map(term -> Nearby.of(term, near)).toList();
  }

  /** Returns the words of an account. */
  public static Set<String> words(IndexedAccount account) throws IOException {
    return terms(WORDS, account);
  }

  /** Returns the words of an account and all their beginnings. */
  public static Set<String> beginnings(IndexedAccount account) throws IOException {
    return terms(BEGINNINGS, account);
  }

  /** Unicode takes an underscore for a part of a word. */
  static List<String> texts(IndexedAccount account) {
    return List.of(account.handle(), account.handle().replace('_', ' '), account.name());
  }

  private static Set<String> terms(WordAnalyzer analyzer, IndexedAccount account)
      throws IOException {
    var terms = new LinkedHashSet<String>();
    for (var text : texts(account)) {
      try (var tokens = analyzer.tokenStream("", text)) {
        var term = tokens.addAttribute(CharTermAttribute.class);
        tokens.reset();
        while (tokens.incrementToken()) {
          terms.add(term.toString());
        }
        tokens.end();
      }
    }
    return terms;
  }

  /** Returns where words occur in a text, as {@link SearchIndex#highlights}. */
  public static List<Highlight> highlights(String text, String words) throws IOException {
    return Highlights.in(text, words);
  }
}
