package social.feed.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafMetaData;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/** The best documents are right in each order of the segments, and few are visited in one. */
class RecencyQueryTest {
  private static final String AT = "at";
  private static final String TEXT = "text";
  private static final String ID = "id";
  private static final int DOCUMENTS = 20_000;
  private static final int BEST = 20;
  private static final long NOW = Duration.ofDays(1_000).toMillis();
  private static final Sort NEWEST_FIRST = RecencyQuery.newestFirst(AT);
  private static final Sort OLDEST_FIRST = new Sort(new SortField(AT, SortField.Type.LONG));
  private static final Sort BY_RELEVANCE =
      new Sort(SortField.FIELD_SCORE, new SortField(ID, SortField.Type.STRING_VAL, true));

  private static final List<Query> WORDS =
      List.of(
          term("tea"),
          term("cup"),
          new BooleanQuery.Builder()
              .add(term("tea"), Occur.MUST)
              .add(term("cup"), Occur.MUST)
              .build(),
          new BooleanQuery.Builder()
              .add(term("tea"), Occur.MUST)
              .add(term("pot"), Occur.FILTER)
              .build(),
          new PhraseQuery(TEXT, "tea", "cup"),
          new ConstantScoreQuery(term("tea")));

  private static Query term(String word) {
    return new TermQuery(new Term(TEXT, word));
  }

  private static Directory indexed(Sort order) throws IOException {
    var directory = new ByteBuffersDirectory();
    var config = new IndexWriterConfig().setSimilarity(new PostSimilarity());
    if (order != Sort.INDEXORDER) {
      config.setIndexSort(order);
    }
    var random = new Random(3);
    try (var writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < DOCUMENTS; i++) {
        var document = new Document();
        var text =
            "tea ".repeat(random.nextInt(4))
                + "cup ".repeat(random.nextInt(2))
                + "pot ".repeat(random.nextInt(2))
                + "milk ".repeat(random.nextInt(30));
        document.add(new TextField(TEXT, text, Store.NO));
        document.add(new BinaryDocValuesField(ID, new BytesRef("%05d".formatted(i))));
        long age = Duration.ofMinutes(random.nextInt(500_000)).toMillis();
        document.add(new NumericDocValuesField(AT, NOW - age));
        writer.addDocument(document);
        if (i % 7_000 == 0) {
          writer.commit();
        }
      }
    }
    return directory;
  }

  private static TopFieldDocs best(DirectoryReader reader, Query words, int counted)
      throws IOException {
    var searcher = new IndexSearcher(reader);
    searcher.setSimilarity(new PostSimilarity());
    return searcher.search(
        new RecencyQuery(words, AT, new Recency(NOW)),
        new TopFieldCollectorManager(BY_RELEVANCE, BEST, null, counted));
  }

  private static List<String> ids(TopFieldDocs found) {
    return Arrays.stream(found.scoreDocs)
        .map(doc -> ((BytesRef) ((FieldDoc) doc).fields[1]).utf8ToString())
        .toList();
  }

  private static List<String> bestOfAll(DirectoryReader reader, Query words) throws IOException {
    return ids(best(reader, words, Integer.MAX_VALUE));
  }

  private static List<String> bestOfVisited(DirectoryReader reader, Query words)
      throws IOException {
    return ids(best(reader, words, BEST));
  }

  @Test
  void best_inEachOrder_areTheBestOfAll() throws IOException {
    for (var order : List.of(NEWEST_FIRST, OLDEST_FIRST, Sort.INDEXORDER)) {
      try (var directory = indexed(order);
          var reader = DirectoryReader.open(directory)) {
        for (var words : WORDS) {
          assertThat(bestOfVisited(reader, words))
              .as("%s by %s", words, order)
              .hasSize(BEST)
              .isEqualTo(bestOfAll(reader, words));
        }
      }
    }
  }

  /** An explanation computes the product from the document alone. */
  @Test
  void scores_inEachOrder_areThoseThatAreExplained() throws IOException {
    for (var order : List.of(NEWEST_FIRST, OLDEST_FIRST, Sort.INDEXORDER)) {
      try (var directory = indexed(order);
          var reader = DirectoryReader.open(directory)) {
        var searcher = new IndexSearcher(reader);
        searcher.setSimilarity(new PostSimilarity());
        for (var words : WORDS) {
          var query = new RecencyQuery(words, AT, new Recency(NOW));
          for (var doc : best(reader, words, BEST).scoreDocs) {
            assertThat(((FieldDoc) doc).fields[0])
                .as("%s by %s: %s", words, order, doc)
                .isEqualTo(searcher.explain(query, doc.doc).getValue());
          }
        }
      }
    }
  }

  @Test
  void documents_newestFirst_areMostlySkipped() throws IOException {
    try (var directory = indexed(NEWEST_FIRST);
        var reader = DirectoryReader.open(directory)) {
      for (var words : WORDS) {
        long all = best(reader, words, Integer.MAX_VALUE).totalHits.value();
        assertThat(best(reader, words, BEST).totalHits.value()).as("%s", words).isLessThan(all / 5);
      }
    }
  }

  /** The planted mistake is an order that a segment claims and does not have. */
  @Test
  void order_thatIsNotThere_isFound() throws IOException {
    try (var directory = indexed(OLDEST_FIRST);
        var reader = new Claiming(DirectoryReader.open(directory))) {
      for (var words : WORDS) {
        assertThat(bestOfVisited(reader, words)).isNotEqualTo(bestOfAll(reader, words));
      }
    }
  }

  @Test
  void explanation_hasTheScore() throws IOException {
    try (var directory = indexed(NEWEST_FIRST);
        var reader = DirectoryReader.open(directory)) {
      var searcher = new IndexSearcher(reader);
      var query = new RecencyQuery(term("tea"), AT, new Recency(NOW));
      var best = searcher.search(query, 1).scoreDocs[0];
      assertThat(searcher.explain(query, best.doc).getValue().floatValue()).isEqualTo(best.score);
      assertThat(searcher.count(query)).isEqualTo(searcher.count(term("tea")));
    }
  }

  /** Says of each segment that its newest documents come first. */
  private static final class Claiming extends FilterDirectoryReader {
    Claiming(DirectoryReader reader) throws IOException {
      super(
          reader,
          new SubReaderWrapper() {
            @Override
            public LeafReader wrap(LeafReader segment) {
              return new ClaimingSegment(segment);
            }
          });
    }

    @Override
    protected DirectoryReader doWrapDirectoryReader(DirectoryReader reader) throws IOException {
      return new Claiming(reader);
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }

  private static final class ClaimingSegment extends FilterLeafReader {
    ClaimingSegment(LeafReader segment) {
      super(segment);
    }

    @Override
    public LeafMetaData getMetaData() {
      var right = in.getMetaData();
      return new LeafMetaData(
          right.createdVersionMajor(), right.minVersion(), NEWEST_FIRST, right.hasBlocks());
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }
}
