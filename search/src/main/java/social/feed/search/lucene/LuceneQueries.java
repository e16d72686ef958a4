package social.feed.search.lucene;

import static social.feed.search.lucene.LuceneDocuments.ACCOUNT;
import static social.feed.search.lucene.LuceneDocuments.AT;
import static social.feed.search.lucene.LuceneDocuments.AUTHOR;
import static social.feed.search.lucene.LuceneDocuments.BEGINNING;
import static social.feed.search.lucene.LuceneDocuments.HANDLE;
import static social.feed.search.lucene.LuceneDocuments.ID;
import static social.feed.search.lucene.LuceneDocuments.KIND;
import static social.feed.search.lucene.LuceneDocuments.POST;
import static social.feed.search.lucene.LuceneDocuments.TAG;
import static social.feed.search.lucene.LuceneDocuments.WORD;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import social.feed.search.PostQuery;

/** The queries of an index on Lucene, and the order of what they find. */
final class LuceneQueries {
  static final Sort BY_RELEVANCE =
      new Sort(SortField.FIELD_SCORE, new SortField(ID, SortField.Type.STRING_VAL, true));
  static final Sort BY_ID = new Sort(new SortField(ID, SortField.Type.STRING_VAL));
  static final Sort BY_HANDLE =
      new Sort(
          SortField.FIELD_SCORE,
          new SortField(HANDLE, SortField.Type.STRING),
          new SortField(ID, SortField.Type.STRING_VAL));

  private LuceneQueries() {}

  /**
   * Returns the query for posts.
   *
   * @param words what all must match
   * @param asOf when the first page was read
   */
  static Query posts(PostQuery query, List<Query> words, Instant asOf) {
    return new RecencyQuery(matching(query, words), AT, new Recency(asOf.toEpochMilli()));
  }

  /** Only posts have texts, so words need no filter of the kind. */
  private static Query matching(PostQuery query, List<Query> words) {
    var all = new BooleanQuery.Builder();
    if (query.authorId() != null) {
      all.add(new TermQuery(new Term(AUTHOR, query.authorId())), Occur.FILTER);
    }
    if (query.tag() != null) {
      all.add(new TermQuery(new Term(TAG, query.tag())), Occur.FILTER);
    }
    long since = query.since() == null ? Long.MIN_VALUE : query.since().toEpochMilli();
    long until = query.until() == null ? Long.MAX_VALUE : query.until().toEpochMilli() - 1;
    if (query.since() != null || query.until() != null) {
      all.add(LongPoint.newRangeQuery(AT, since, until), Occur.FILTER);
    }
    words.forEach(word -> all.add(word, Occur.MUST));
    if (words.isEmpty()) {
      all.add(new ConstantScoreQuery(new TermQuery(new Term(KIND, POST))), Occur.MUST);
    }
    return all.build();
  }

  /** Returns the query for accounts. */
  static Query accounts(List<SearchTerms.Nearby> terms) {
    var all = new BooleanQuery.Builder();
    all.add(new TermQuery(new Term(KIND, ACCOUNT)), Occur.FILTER);
    terms.forEach(term -> all.add(near(term), Occur.MUST));
    return all.build();
  }

  /** Returns the query for all posts of an author. Tombstones have no author. */
  static Query ofAuthor(String authorId) {
    return new TermQuery(new Term(AUTHOR, authorId));
  }

  /** The word itself, a word that begins with it, or one that begins with something like it. */
  private static Query near(SearchTerms.Nearby near) {
    var ways = new ArrayList<Query>();
    ways.add(weighted(new TermQuery(new Term(WORD, near.word())), SearchTerms.EXACT));
    var beginning = new Term(BEGINNING, near.beginning());
    ways.add(weighted(new TermQuery(beginning), SearchTerms.BEGINNING));
    if (near.errors() > 0) {
      ways.add(
          weighted(
              new FuzzyQuery(beginning, near.errors(), 1, near.near(), true),
              SearchTerms.MISSPELLED));
    }
    return new DisjunctionMaxQuery(ways, 0);
  }

  private static Query weighted(Query query, float weight) {
    return new BoostQuery(new ConstantScoreQuery(query), weight);
  }
}
