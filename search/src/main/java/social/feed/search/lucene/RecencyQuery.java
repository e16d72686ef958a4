package social.feed.search.lucene;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.FilterScorer;
import org.apache.lucene.search.FilterWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/**
 * Multiplies the scores of a query with the recency of each document, and skips what cannot be
 * among the best.
 *
 * <p>In a segment that is in {@link #newestFirst}, the factor of a document is the largest one of
 * all documents behind it. So a score that is needed, divided by the factor, is what the words
 * alone must score from there on. Lucene skips blocks of documents whose words score less. In
 * another segment the largest factor of all takes that place.
 */
final class RecencyQuery extends Query {
  /** Keeps a document whose product is rounded up to the score that is needed. */
  private static final double ROUNDED = 1 - 1e-6;

  private final Query words;
  private final String field;
  private final Recency recency;

  /**
   * @param words the query, whose scores are not negative
   * @param field the times of documents in milliseconds, as doc values; each document that matches
   *     has one
   */
  RecencyQuery(Query words, String field, Recency recency) {
    this.words = words;
    this.field = field;
    this.recency = recency;
  }

  /** Returns the order of documents that lets a search skip most of them. */
  static Sort newestFirst(String field) {
    return new Sort(new SortField(field, SortField.Type.LONG, true, Long.MIN_VALUE));
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    var rewritten = words.rewrite(searcher);
    return rewritten == words ? this : new RecencyQuery(rewritten, field, recency);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost)
      throws IOException {
    var weight = searcher.createWeight(words, mode, boost);
    return mode.needsScores() ? new RecencyWeight(weight) : weight;
  }

  @Override
  public void visit(QueryVisitor visitor) {
    words.visit(visitor);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RecencyQuery that
        && words.equals(that.words)
        && field.equals(that.field)
        && recency.equals(that.recency);
  }

  @Override
  public int hashCode() {
    return Objects.hash(classHash(), words, field, recency);
  }

  @Override
  public String toString(String defaultField) {
    return "(%s) by %s of %s".formatted(words.toString(defaultField), recency, field);
  }

  private static float product(double score, double factor) {
    return (float) (score * factor);
  }

  private final class RecencyWeight extends FilterWeight {
    RecencyWeight(Weight words) {
      super(RecencyQuery.this, words);
    }

    @Override
    public Explanation explain(LeafReaderContext context, int doc) throws IOException {
      var explained = in.explain(context, doc);
      var times = DocValues.getNumeric(context.reader(), field);
      if (!explained.isMatch() || !times.advanceExact(doc)) {
        return explained;
      }
      double factor = recency.factor(times.longValue());
      return Explanation.match(
          product(explained.getValue().doubleValue(), factor),
          "the words by recency, which is " + factor,
          explained);
    }

    @Override
    public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
      var supplier = in.scorerSupplier(context);
      if (supplier == null) {
        return null;
      }
      return new ScorerSupplier() {
        @Override
        public Scorer get(long leadCost) throws IOException {
          var times = DocValues.getNumeric(context.reader(), field);
          boolean isSorted = newestFirst(field).equals(context.reader().getMetaData().sort());
          return new RecencyScorer(supplier.get(leadCost), times, isSorted);
        }

        @Override
        public long cost() {
          return supplier.cost();
        }

        @Override
        public void setTopLevelScoringClause() throws IOException {
          supplier.setTopLevelScoringClause();
        }
      };
    }
  }

  private final class RecencyScorer extends FilterScorer {
    private final NumericDocValues times;
    private final boolean isSorted;

    /** No document from the last one on has a larger factor. */
    private double most = Recency.MOST;

    private float needed;
    private float neededOfWords;

    RecencyScorer(Scorer words, NumericDocValues times, boolean isSorted) {
      super(words);
      this.times = times;
      this.isSorted = isSorted;
    }

    @Override
    public float score() throws IOException {
      float score = in.score();
      if (!times.advanceExact(docID())) {
        throw new IllegalStateException("A document has no time: " + docID());
      }
      double factor = recency.factor(times.longValue());
      if (isSorted) {
        most = factor;
        passOn();
      }
      return product(score, factor);
    }

    @Override
    public void setMinCompetitiveScore(float score) throws IOException {
      needed = score;
      passOn();
    }

    private void passOn() throws IOException {
      float ofWords = (float) (needed / most * ROUNDED);
      if (ofWords > neededOfWords) {
        neededOfWords = ofWords;
        in.setMinCompetitiveScore(ofWords);
      }
    }

    @Override
    public int advanceShallow(int target) throws IOException {
      return in.advanceShallow(target);
    }

    @Override
    public float getMaxScore(int upTo) throws IOException {
      return product(in.getMaxScore(upTo), most);
    }
  }
}
