package social.feed.search.lucene;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.Map;
import java.util.logging.Logger;
import org.apache.lucene.analysis.miscellaneous.PerFieldAnalyzerWrapper;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.Sort;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/** The writer of a directory, and the searchers that see what it wrote. */
record OpenWriter(IndexWriter writer, SearcherManager searchers) {
  private static final Logger LOG = Logger.getLogger(OpenWriter.class.getName());
  private static final Sort NEWEST_FIRST = RecencyQuery.newestFirst(LuceneDocuments.AT);
  private static final double MEMORY_MB = 16;

  /** Opens what was committed. An index of an earlier version becomes empty. */
  static OpenWriter on(Directory directory) throws IOException {
    var config =
        new IndexWriterConfig(
            new PerFieldAnalyzerWrapper(
                WordAnalyzer.ofWords(),
                Map.of(LuceneDocuments.BEGINNING, WordAnalyzer.ofBeginnings())));
    if (isOfAnEarlierVersion(directory)) {
      LOG.warning("The search index of an earlier version is emptied. Run ./feed reindex.");
      config.setOpenMode(OpenMode.CREATE);
    }
    config.setIndexSort(NEWEST_FIRST);
    config.setLeafSorter(Comparator.comparingLong(OpenWriter::newest).reversed());
    var similarity = new PostSimilarity();
    config.setSimilarity(similarity);
    config.setRAMBufferSizeMB(MEMORY_MB);
    var writer = new IndexWriter(directory, config);
    try {
      return new OpenWriter(writer, searchers(writer, similarity));
    } catch (IOException | RuntimeException e) {
      // A close would commit.
      writer.rollback();
      throw e;
    }
  }

  private static SearcherManager searchers(IndexWriter writer, PostSimilarity similarity)
      throws IOException {
    return new SearcherManager(
        writer,
        new SearcherFactory() {
          @Override
          public IndexSearcher newSearcher(IndexReader reader, @Nullable IndexReader former) {
            var searcher = new IndexSearcher(reader);
            searcher.setSimilarity(similarity);
            return searcher;
          }
        });
  }

  /** A search that begins with the newest segments needs the most of the others. */
  private static long newest(LeafReader segment) {
    try {
      var times = segment.getPointValues(LuceneDocuments.AT);
      return times == null
          ? Long.MIN_VALUE
          : LongPoint.decodeDimension(times.getMaxPackedValue(), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Earlier versions did not sort, and a writer cannot mix orders. */
  private static boolean isOfAnEarlierVersion(Directory directory) throws IOException {
    if (!DirectoryReader.indexExists(directory)) {
      return false;
    }
    for (var segment : SegmentInfos.readLatestCommit(directory)) {
      if (!NEWEST_FIRST.equals(segment.info.getIndexSort())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the failure that the writer could not undo, such as a full disk. Lucene then closes the
   * writer by itself. Its searchers still find what they found.
   */
  @Nullable Throwable failure() {
    return writer.getTragicException();
  }

  /** Returns when the directory is free for another writer. What was not committed is lost. */
  void abandon() throws IOException {
    writer.rollback();
  }

  /** Searches that are under way may end. */
  void closeSearchers() {
    IOUtils.closeWhileHandlingException(searchers);
  }
}
