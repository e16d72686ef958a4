package social.feed.search.lucene;

import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.similarities.BM25Similarity;

/**
 * Scores a post by itself. The usual score also depends on how often a word occurs in all posts, so
 * each write would change it, and pages would repeat or omit posts. All words of a search must
 * match, so their rarity matters little.
 */
final class PostSimilarity extends BM25Similarity {
  private static final float TYPICAL_LENGTH = 20;

  @Override
  protected float idf(long docFreq, long docCount) {
    return 1;
  }

  @Override
  protected float avgFieldLength(CollectionStatistics statistics) {
    return TYPICAL_LENGTH;
  }
}
