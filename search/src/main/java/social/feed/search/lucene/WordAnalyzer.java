package social.feed.search.lucene;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.icu.ICUFoldingFilter;
import org.apache.lucene.analysis.icu.segmentation.DefaultICUTokenizerConfig;
import org.apache.lucene.analysis.icu.segmentation.ICUTokenizer;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;

/**
 * Cuts a text into terms, in any language: words by the rules of Unicode, without case and accents.
 * Chinese, Japanese and Korean become single characters and pairs of neighbours, so that each part
 * of a text is found, whatever a dictionary takes for a word. Nothing is stemmed.
 */
final class WordAnalyzer extends Analyzer {
  /** Longer beginnings of a word are found by these characters. */
  static final int LONGEST_BEGINNING = 20;

  private static final int PAIRS =
      CJKBigramFilter.HAN
          | CJKBigramFilter.HIRAGANA
          | CJKBigramFilter.KATAKANA
          | CJKBigramFilter.HANGUL;

  private final boolean beginnings;

  private WordAnalyzer(boolean beginnings) {
    this.beginnings = beginnings;
  }

  static WordAnalyzer ofWords() {
    return new WordAnalyzer(false);
  }

  /** Also each beginning of a word is a term, at the place of the word. */
  static WordAnalyzer ofBeginnings() {
    return new WordAnalyzer(true);
  }

  @Override
  protected TokenStreamComponents createComponents(String fieldName) {
    var words = new ICUTokenizer(new DefaultICUTokenizerConfig(false, true));
    TokenStream terms = new CJKBigramFilter(new ICUFoldingFilter(words), PAIRS, true);
    return new TokenStreamComponents(
        words, beginnings ? new EdgeNGramTokenFilter(terms, 1, LONGEST_BEGINNING, false) : terms);
  }

  @Override
  protected TokenStream normalize(String fieldName, TokenStream in) {
    return new ICUFoldingFilter(in);
  }
}
