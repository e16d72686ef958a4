package social.feed.search.lucene;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.ExitableDirectoryReader;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.index.QueryTimeoutImpl;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import social.feed.search.AccountHit;
import social.feed.search.AccountPosition;
import social.feed.search.EntryKind;
import social.feed.search.Highlight;
import social.feed.search.IndexEntry;
import social.feed.search.IndexState;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;
import social.feed.search.PostHit;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;
import social.feed.search.SearchPosition;
import social.feed.search.SearchTimeoutException;
import social.feed.search.WriteCondition;

/**
 * An index in a folder, or in memory. A folder has one writer: another one that opens it fails. The
 * text of a post is not stored, only its terms.
 *
 * <p>Documents are in the order of their times, the newest first. So a search of posts visits the
 * newest ones that match, and of the others only those whose words are relevant enough.
 *
 * <p>A write that fails, as on a full disk, may close the writer. The next call that needs it opens
 * another one, and repeats the writes that were not committed.
 *
 * <p>A search ends after a limit, without a result. The limit covers the visits of documents, and
 * in a search of accounts also the search for terms like the misspelled ones. What it does not
 * cover is bounded by the query: each segment is asked for at most {@link SearchIndex#MAX_TERMS}
 * terms, which are looked up one by one, and for a range of times, if the query has one.
 */
public final class LuceneIndex implements SearchIndex {
  /** Far more than a search takes in an index that fits its machine. */
  private static final Duration LONGEST_SEARCH = Duration.ofSeconds(2);

  /** After so many writes, the next one commits first. */
  private static final int MAX_UNCOMMITTED = 10_000;

  private final Directory directory;
  private final InstantSource clock;
  private final Duration limit;

  /** Replaced when a failed write has closed it. */
  private volatile OpenWriter latest;

  private static final Logger LOG = Logger.getLogger(LuceneIndex.class.getName());

  /** Lucene warns at each start that vectors could be faster. None are searched here. */
  private static final Logger VECTORS =
      Logger.getLogger("org.apache.lucene.internal.vectorization.VectorizationProvider");

  static {
    VECTORS.setLevel(Level.SEVERE);
  }

  /** Versions that searchers do not see yet, by key. */
  private final Map<String, String> unseen = new HashMap<>();

  /** The writes since the last commit, in their order. */
  private final Deque<Uncommitted> uncommitted = new ArrayDeque<>();

  private long writes;
  private boolean isFailureReported;
  private boolean isClosed;

  /** A write that a failure of the writer would undo. */
  private record Uncommitted(long number, String key, String version, Document document) {
    void repeatOn(IndexWriter writer) throws IOException {
      var _ = writer.updateDocument(new Term(LuceneDocuments.KEY, key), document);
    }
  }

  private LuceneIndex(Directory directory, InstantSource clock, Duration limit) throws IOException {
    this.directory = directory;
    this.clock = clock;
    this.limit = limit;
    this.latest = OpenWriter.on(directory);
  }

  /**
   * Opens the index in a folder, with all that was committed, or creates it there. An index of an
   * earlier version becomes empty.
   *
   * @throws DamagedIndexException if its files cannot be read
   * @throws IOException if the folder cannot be used, also if it has a writer already
   */
  public static LuceneIndex at(Path folder, InstantSource clock) throws IOException {
    return opened(FSDirectory.open(Files.createDirectories(folder)), clock, LONGEST_SEARCH);
  }

  /** Creates an index that ends with this object. */
  public static LuceneIndex inMemory(InstantSource clock) throws IOException {
    return inMemory(clock, LONGEST_SEARCH);
  }

  /** Creates an index that ends with this object, with another limit for a search. */
  public static LuceneIndex inMemory(InstantSource clock, Duration limit) throws IOException {
    return opened(new ByteBuffersDirectory(), clock, limit);
  }

  /** Opens the index in a directory of Lucene, and closes the directory with it. */
  public static LuceneIndex in(Directory directory, InstantSource clock) throws IOException {
    return opened(directory, clock, LONGEST_SEARCH);
  }

  private static LuceneIndex opened(Directory directory, InstantSource clock, Duration limit)
      throws IOException {
    try {
      return new LuceneIndex(directory, clock, limit);
    } catch (IOException | RuntimeException e) {
      directory.close();
      if (isOfFiles(e)) {
        throw new DamagedIndexException(e);
      }
      throw e;
    }
  }

  /** A format that is not known by its name is an illegal argument. */
  private static boolean isOfFiles(Exception failure) {
    return switch (failure) {
      case CorruptIndexException _,
          IndexFormatTooOldException _,
          IndexFormatTooNewException _,
          EOFException _,
          IllegalArgumentException _ ->
          true;
      // The lock is absent where it cannot be created.
      case NoSuchFileException absent -> !absent.getFile().endsWith(IndexWriter.WRITE_LOCK_NAME);
      default -> false;
    };
  }

  @Override
  public void putPost(IndexedPost post, String version) throws IOException {
    put(post, version);
  }

  @Override
  public void putAccount(IndexedAccount account, String version) throws IOException {
    put(account, version);
  }

  private void put(IndexEntry entry, String version) throws IOException {
    var document = LuceneDocuments.document(entry);
    var _ = write(entry.kind(), entry.id(), document, version, WriteCondition.isBelow(version));
  }

  @Override
  public void deletePost(String id, String version) throws IOException {
    delete(EntryKind.POST, id, version);
  }

  @Override
  public void deleteAccount(String id, String version) throws IOException {
    delete(EntryKind.ACCOUNT, id, version);
  }

  private void delete(EntryKind kind, String id, String version) throws IOException {
    var _ =
        write(
            kind,
            id,
            LuceneDocuments.tombstone(clock.millis()),
            version,
            WriteCondition.isBelow(version));
  }

  @Override
  public boolean replace(IndexEntry entry, String version) throws IOException {
    var document = LuceneDocuments.document(entry);
    return write(entry.kind(), entry.id(), document, version, WriteCondition.isStill(version));
  }

  @Override
  public boolean remove(EntryKind kind, String id, String version) throws IOException {
    return write(
        kind,
        id,
        LuceneDocuments.tombstone(clock.millis()),
        version,
        WriteCondition.isStill(version));
  }

  /** Writes if what the index has permits it. */
  private synchronized boolean write(
      EntryKind kind,
      String id,
      Document document,
      String version,
      Predicate<@Nullable String> permits)
      throws IOException {
    if (uncommitted.size() >= MAX_UNCOMMITTED) {
      commit();
    }
    var writer = writer();
    try {
      var key = LuceneDocuments.key(kind, id);
      if (!permits.test(knownVersion(key))) {
        return false;
      }
      document.add(new StringField(LuceneDocuments.KEY, key, Store.NO));
      document.add(LuceneDocuments.text(LuceneDocuments.ID, id));
      document.add(LuceneDocuments.text(LuceneDocuments.VERSION, version));
      var write = new Uncommitted(writes + 1, key, version, document);
      write.repeatOn(writer);
      writes++;
      uncommitted.add(write);
      unseen.put(key, version);
      return true;
    } catch (AlreadyClosedException e) {
      throw closed(e);
    }
  }

  @Override
  public List<IndexState> states(EntryKind kind, Collection<String> ids) throws IOException {
    if (ids.isEmpty()) {
      return List.of();
    }
    SearchIndex.checkStates(ids.size());
    refresh();
    return search(
        searcher -> {
          var states = new ArrayList<IndexState>();
          for (var id : ids) {
            LuceneDocuments.state(searcher, kind, id).ifPresent(states::add);
          }
          return states;
        });
  }

  @Override
  public List<IndexState> statesAfter(EntryKind kind, String after, int limit) throws IOException {
    SearchIndex.checkStates(limit);
    refresh();
    return search(searcher -> LuceneDocuments.statesAfter(searcher, kind, after, limit));
  }

  @Override
  public List<IndexState> statesOf(String authorId, String after, int limit) throws IOException {
    SearchIndex.checkStates(limit);
    return search(
        searcher -> {
          var posts = LuceneQueries.ofAuthor(authorId);
          var start = after.isEmpty() ? null : start(searcher, Float.NaN, new BytesRef(after));
          var states = new ArrayList<IndexState>();
          for (var doc : searcher.searchAfter(start, posts, limit, LuceneQueries.BY_ID).scoreDocs) {
            var id = ((BytesRef) ((FieldDoc) doc).fields[0]).utf8ToString();
            LuceneDocuments.state(searcher, EntryKind.POST, id).ifPresent(states::add);
          }
          return states;
        });
  }

  private @Nullable String knownVersion(String key) throws IOException {
    var latest = unseen.get(key);
    return latest != null
        ? latest
        : search(searcher -> LuceneDocuments.version(searcher, key)).orElse(null);
  }

  @Override
  public synchronized void forgetDeletions(Instant before) throws IOException {
    var writer = writer();
    try {
      writer.deleteDocuments(
          LongPoint.newRangeQuery(
              LuceneDocuments.DELETED_AT, Long.MIN_VALUE, before.toEpochMilli() - 1));
      refresh();
    } catch (AlreadyClosedException e) {
      throw closed(e);
    }
  }

  @Override
  public synchronized void refresh() throws IOException {
    var _ = writer();
    try {
      latest.searchers().maybeRefreshBlocking();
      unseen.clear();
    } catch (AlreadyClosedException e) {
      throw closed(e);
    }
  }

  /** Refreshes as well. */
  @Override
  public void commit() throws IOException {
    IndexWriter writer;
    long last;
    synchronized (this) {
      writer = writer();
      last = writes;
    }
    try {
      var _ = writer.commit();
    } catch (AlreadyClosedException e) {
      throw closed(e);
    }
    isCommitted(last);
    refresh();
  }

  private synchronized void isCommitted(long last) {
    while (!uncommitted.isEmpty() && uncommitted.getFirst().number() <= last) {
      var _ = uncommitted.removeFirst();
    }
    isFailureReported = false;
  }

  /**
   * Returns the writer. If a failed write has closed it, opens another one and repeats what was not
   * committed, so that a later commit covers it. Damaged files stay closed.
   */
  private synchronized IndexWriter writer() throws IOException {
    var former = latest;
    var failure = former.failure();
    if (failure == null || isClosed) {
      return former.writer();
    }
    boolean isDamaged = failure instanceof Exception e && isOfFiles(e);
    if (!isFailureReported) {
      isFailureReported = true;
      LOG.severe(
          isDamaged
              ? "The search index is damaged. Delete it, start again, and run ./feed reindex. "
                  + failure
              : "A failed write closed the search index, which is opened again. If the disk is full, free some space. "
                  + failure);
    }
    if (isDamaged) {
      throw new DamagedIndexException((Exception) failure);
    }
    former.abandon();
    var next = OpenWriter.on(directory);
    try {
      for (var write : uncommitted) {
        write.repeatOn(next.writer());
      }
      next.searchers().maybeRefreshBlocking();
    } catch (AlreadyClosedException e) {
      next.closeSearchers();
      next.abandon();
      throw closed(e);
    } catch (IOException | RuntimeException e) {
      next.closeSearchers();
      next.abandon();
      throw e;
    }
    unseen.clear();
    latest = next;
    former.closeSearchers();
    return next.writer();
  }

  @Override
  public List<PostHit> findPosts(PostQuery query, @Nullable SearchPosition after, int limit)
      throws IOException {
    SearchIndex.checkLimit(limit);
    int passed = after == null ? 0 : after.passed();
    int hits = Math.min(limit, MAX_DEPTH - passed);
    var words = QueryWords.queries(LuceneDocuments.TEXT, query.words());
    if (hits <= 0 || (words.isEmpty() && !query.words().isBlank())) {
      return List.of();
    }
    var asOf = after == null ? Instant.ofEpochMilli(clock.millis()) : after.asOf();
    var scored = LuceneQueries.posts(query, words, asOf);
    var docs = limited(searcher -> best(searcher, scored, after, hits)).scoreDocs;
    var found = new ArrayList<PostHit>();
    for (var doc : docs) {
      var fields = ((FieldDoc) doc).fields;
      var id = ((BytesRef) fields[1]).utf8ToString();
      int count = passed + found.size() + 1;
      found.add(new PostHit(id, new SearchPosition(asOf, (Float) fields[0], id, count)));
    }
    return List.copyOf(found);
  }

  /** Hits are not counted, so the search skips others as soon as it has enough. */
  private static TopFieldDocs best(
      IndexSearcher searcher, Query query, @Nullable SearchPosition after, int hits)
      throws IOException {
    var start =
        after == null
            ? null
            : start(searcher, after.score(), after.score(), new BytesRef(after.id()));
    return searcher.search(
        query, new TopFieldCollectorManager(LuceneQueries.BY_RELEVANCE, hits, start, hits));
  }

  private static TopFieldDocs best(
      IndexSearcher searcher, Query query, @Nullable AccountPosition after, int hits)
      throws IOException {
    var start =
        after == null
            ? null
            : start(
                searcher,
                after.score(),
                after.score(),
                new BytesRef(after.handle()),
                new BytesRef(after.id()));
    return searcher.search(
        query, new TopFieldCollectorManager(LuceneQueries.BY_HANDLE, hits, start, hits));
  }

  /** The fields are the whole order, so the number of the document only has to be a valid one. */
  private static FieldDoc start(IndexSearcher searcher, float score, Object... fields) {
    return new FieldDoc(Math.max(0, searcher.getIndexReader().maxDoc() - 1), score, fields);
  }

  @Override
  public List<AccountHit> findAccounts(String words, @Nullable AccountPosition after, int limit)
      throws IOException {
    SearchIndex.checkWords(words);
    SearchIndex.checkLimit(limit);
    int passed = after == null ? 0 : after.passed();
    int hits = Math.min(limit, MAX_DEPTH - passed);
    var terms = SearchTerms.nearby(words);
    if (hits <= 0 || terms.isEmpty()) {
      return List.of();
    }
    var query = LuceneQueries.accounts(terms);
    var docs = limitedWithTerms(searcher -> best(searcher, query, after, hits)).scoreDocs;
    var found = new ArrayList<AccountHit>();
    for (var doc : docs) {
      var fields = ((FieldDoc) doc).fields;
      var handle = ((BytesRef) fields[1]).utf8ToString();
      var id = ((BytesRef) fields[2]).utf8ToString();
      int count = passed + found.size() + 1;
      found.add(new AccountHit(id, new AccountPosition((Float) fields[0], handle, id, count)));
    }
    return List.copyOf(found);
  }

  @Override
  public List<Highlight> highlights(String text, String words) throws IOException {
    return Highlights.in(text, words);
  }

  /** Commits and closes. */
  @Override
  public synchronized void close() throws IOException {
    isClosed = true;
    try (directory;
        var _ = latest.writer();
        var _ = latest.searchers()) {
      unseen.clear();
    }
  }

  private <T> T search(Search<T> search) throws IOException {
    var open = latest;
    IndexSearcher searcher;
    try {
      searcher = open.searchers().acquire();
    } catch (AlreadyClosedException e) {
      if (open != latest) {
        return search(search);
      }
      throw closed(e);
    }
    try {
      return search.in(searcher);
    } finally {
      open.searchers().release(searcher);
    }
  }

  private <T> T limited(Search<T> search) throws IOException {
    var timeout = new QueryTimeoutImpl(limit.toMillis());
    return search(shared -> limited(search, shared, shared.getIndexReader(), timeout));
  }

  /**
   * As {@link #limited(Search)}, for queries that are rewritten to the terms of the index. A
   * searcher rewrites without looking at its timeout, so the reader of the terms looks at it.
   */
  private <T> T limitedWithTerms(Search<T> search) throws IOException {
    var timeout = new QueryTimeoutImpl(limit.toMillis());
    try {
      return search(
          shared -> {
            var terms = (DirectoryReader) shared.getIndexReader();
            return limited(search, shared, ExitableDirectoryReader.wrap(terms, timeout), timeout);
          });
    } catch (ExitableDirectoryReader.ExitingReaderException _) {
      throw new SearchTimeoutException(limit);
    }
  }

  /** A searcher has one limit for all threads, so each search has a searcher. */
  private <T> T limited(
      Search<T> search, IndexSearcher shared, IndexReader reader, QueryTimeout timeout)
      throws IOException {
    var searcher = new IndexSearcher(reader);
    searcher.setSimilarity(shared.getSimilarity());
    searcher.setTimeout(timeout);
    var found = search.in(searcher);
    if (searcher.timedOut()) {
      throw new SearchTimeoutException(limit);
    }
    return found;
  }

  /** The cause of the exception is the failed write, if one has closed the writer. */
  private static IOException closed(AlreadyClosedException cause) {
    return new IOException(
        cause.getCause() == null
            ? "The index is closed"
            : "A failed write closed the index. The next call opens it again",
        cause);
  }

  /** A read of one state of the index. */
  private interface Search<T> {
    T in(IndexSearcher searcher) throws IOException;
  }
}
