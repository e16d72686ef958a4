package social.feed.search.lucene;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DoubleValues;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.IndexSearcher;

/**
 * Multiplies the score of a post: by four when it is new, by two and a half after a week, and by
 * almost one after years. So a good match never loses all weight.
 */
final class Recency extends DoubleValuesSource {
  private static final double GAIN = 3;
  private static final double HALF = Duration.ofDays(7).toMillis();

  private final String field;
  private final long now;

  Recency(String field, long now) {
    this.field = field;
    this.now = now;
  }

  @Override
  public DoubleValues getValues(LeafReaderContext context, DoubleValues scores) throws IOException {
    var times = DocValues.getNumeric(context.reader(), field);
    return new DoubleValues() {
      @Override
      public double doubleValue() throws IOException {
        return scores.doubleValue() * (1 + GAIN * HALF / (HALF + age(times.longValue())));
      }

      @Override
      public boolean advanceExact(int doc) throws IOException {
        return times.advanceExact(doc) && scores.advanceExact(doc);
      }
    };
  }

  private double age(long time) {
    return Math.max(0, now - time);
  }

  @Override
  public boolean needsScores() {
    return true;
  }

  @Override
  public DoubleValuesSource rewrite(IndexSearcher searcher) {
    return this;
  }

  @Override
  public boolean isCacheable(LeafReaderContext context) {
    return false;
  }

  @Override
  public int hashCode() {
    return Objects.hash(field, now);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Recency that && that.now == now && that.field.equals(field);
  }

  @Override
  public String toString() {
    return "recency(%s, %d)".formatted(field, now);
  }
}
