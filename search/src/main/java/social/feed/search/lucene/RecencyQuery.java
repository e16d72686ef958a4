package social.feed.search.lucene;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.FilterLeafCollector;
import org.apache.lucene.search.FilterScorer;
import org.apache.lucene.search.FilterWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;
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
          return new RecencyScorer(supplier.get(leadCost), factors());
        }

        /** The scorer of the words that visits many documents at a time, where it has one. */
        @Override
        public BulkScorer bulkScorer() throws IOException {
          return new RecencyBulkScorer(supplier.bulkScorer(), factors());
        }

        private Factors factors() throws IOException {
          var times = DocValues.getNumeric(context.reader(), field);
          boolean isSorted = newestFirst(field).equals(context.reader().getMetaData().sort());
          return new Factors(times, isSorted);
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

  /** The factors of the documents of a segment, and what the words alone must score. */
  private final class Factors {
    private final NumericDocValues times;
    private final boolean isSorted;

    /** No document from the last one on has a larger factor. */
    private double most = Recency.MOST;

    private float needed;
    private float neededOfWords;

    Factors(NumericDocValues times, boolean isSorted) {
      this.times = times;
      this.isSorted = isSorted;
    }

    /** Returns the score of a document, which lies behind the one before. */
    float score(int doc, Scorable words) throws IOException {
      float score = words.score();
      if (!times.advanceExact(doc)) {
        throw new IllegalStateException("A document has no time: " + doc);
      }
      double factor = recency.factor(times.longValue());
      if (isSorted) {
        most = factor;
        passOn(words);
      }
      return product(score, factor);
    }

    void need(float score, Scorable words) throws IOException {
      needed = score;
      passOn(words);
    }

    private void passOn(Scorable words) throws IOException {
      float ofWords = (float) (needed / most * ROUNDED);
      if (ofWords > neededOfWords) {
        neededOfWords = ofWords;
        words.setMinCompetitiveScore(ofWords);
      }
    }

    float largest(float ofWords) {
      return product(ofWords, most);
    }
  }

  private static final class RecencyScorer extends FilterScorer {
    private final Factors factors;

    RecencyScorer(Scorer words, Factors factors) {
      super(words);
      this.factors = factors;
    }

    @Override
    public float score() throws IOException {
      return factors.score(docID(), in);
    }

    @Override
    public void setMinCompetitiveScore(float score) throws IOException {
      factors.need(score, in);
    }

    @Override
    public int advanceShallow(int target) throws IOException {
      return in.advanceShallow(target);
    }

    @Override
    public float getMaxScore(int upTo) throws IOException {
      return factors.largest(in.getMaxScore(upTo));
    }
  }

  private static final class RecencyBulkScorer extends BulkScorer {
    private final BulkScorer words;
    private final Factors factors;

    RecencyBulkScorer(BulkScorer words, Factors factors) {
      this.words = words;
      this.factors = factors;
    }

    @Override
    public int score(LeafCollector collector, @Nullable Bits accepted, int min, int max)
        throws IOException {
      return words.score(new RecencyCollector(collector, factors), accepted, min, max);
    }

    @Override
    public long cost() {
      return words.cost();
    }
  }

  /** Shows a collector the products in place of the scores of the words. */
  private static final class RecencyCollector extends FilterLeafCollector {
    private final Factors factors;
    private int doc;

    RecencyCollector(LeafCollector collector, Factors factors) {
      super(collector);
      this.factors = factors;
    }

    @Override
    public void setScorer(Scorable words) throws IOException {
      in.setScorer(
          new Scorable() {
            @Override
            public float score() throws IOException {
              return factors.score(doc, words);
            }

            @Override
            public void setMinCompetitiveScore(float score) throws IOException {
              factors.need(score, words);
            }
          });
    }

    @Override
    public void collect(int document) throws IOException {
      doc = document;
      in.collect(document);
    }
  }
}
