package social.feed.search.lucene;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.lucene.analysis.miscellaneous.PerFieldAnalyzerWrapper;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.QueryTimeoutImpl;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
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

/**
 * An index in a folder, or in memory. A folder has one writer: another one that opens it fails. The
 * text of a post is not stored, only its terms.
 *
 * <p>Documents are in the order of their times, the newest first. So a search of posts visits the
 * newest ones that match, and of the others only those whose words are relevant enough. It ends
 * after a limit, without a result.
 */
public final class LuceneIndex implements SearchIndex {
  private static final String KEY = "key";
  private static final String KIND = "kind";
  private static final String VERSION = "version";
  private static final String FINGERPRINT = "fingerprint";
  private static final String DELETED_AT = "deleted_at";
  private static final String ID = "id";
  private static final String AUTHOR = "author";
  private static final String TAG = "tag";
  private static final String AT = "at";
  private static final String TEXT = "text";
  private static final String HANDLE = "handle";
  private static final String WORD = "word";
  private static final String BEGINNING = "beginning";

  private static final String POST = "post";
  private static final String ACCOUNT = "account";

  private static final Sort NEWEST_FIRST = RecencyQuery.newestFirst(AT);

  private static final Sort BY_RELEVANCE =
      new Sort(SortField.FIELD_SCORE, new SortField(ID, SortField.Type.STRING_VAL, true));
  private static final Sort BY_ID = new Sort(new SortField(ID, SortField.Type.STRING_VAL));
  private static final Sort BY_HANDLE =
      new Sort(
          SortField.FIELD_SCORE,
          new SortField(HANDLE, SortField.Type.STRING),
          new SortField(ID, SortField.Type.STRING_VAL));

  /** Far more than a search takes in an index that fits its machine. */
  private static final Duration LONGEST_SEARCH = Duration.ofSeconds(2);

  private static final double MEMORY_MB = 16;

  /** More versions than these are not kept for the next refresh. */
  private static final int MAX_UNSEEN = 10_000;

  private final Directory directory;
  private final IndexWriter writer;
  private final SearcherManager searchers;
  private final InstantSource clock;
  private final Duration limit;

  private static final Logger LOG = Logger.getLogger(LuceneIndex.class.getName());

  /** Lucene warns at each start that vectors could be faster. None are searched here. */
  private static final Logger VECTORS =
      Logger.getLogger("org.apache.lucene.internal.vectorization.VectorizationProvider");

  static {
    VECTORS.setLevel(Level.SEVERE);
  }

  /** Versions that searchers do not see yet, by key. */
  private final Map<String, String> unseen = new HashMap<>();

  private LuceneIndex(Directory directory, InstantSource clock, Duration limit) throws IOException {
    this.directory = directory;
    this.clock = clock;
    this.limit = limit;
    var config =
        new IndexWriterConfig(
            new PerFieldAnalyzerWrapper(
                WordAnalyzer.ofWords(), Map.of(BEGINNING, WordAnalyzer.ofBeginnings())));
    if (isOfAnEarlierVersion(directory)) {
      LOG.warning("The search index of an earlier version is emptied. Run ./feed reindex.");
      config.setOpenMode(OpenMode.CREATE);
    }
    config.setIndexSort(NEWEST_FIRST);
    config.setLeafSorter(Comparator.comparingLong(LuceneIndex::newest).reversed());
    var similarity = new PostSimilarity();
    config.setSimilarity(similarity);
    config.setRAMBufferSizeMB(MEMORY_MB);
    writer = new IndexWriter(directory, config);
    searchers =
        new SearcherManager(
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
      var times = segment.getPointValues(AT);
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
   * Opens the index in a folder, with all that was committed, or creates it there. An index of an
   * earlier version becomes empty.
   *
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

  private static LuceneIndex opened(Directory directory, InstantSource clock, Duration limit)
      throws IOException {
    try {
      return new LuceneIndex(directory, clock, limit);
    } catch (IOException | RuntimeException e) {
      directory.close();
      throw e;
    }
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
    var document = document(entry);
    var _ = write(entry.kind(), entry.id(), document, version, isBelow(version));
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
    var _ = write(kind, id, tombstone(), version, isBelow(version));
  }

  private static Predicate<@Nullable String> isBelow(String version) {
    return known -> known == null || known.compareTo(version) < 0;
  }

  @Override
  public boolean replace(IndexEntry entry, String version) throws IOException {
    var document = document(entry);
    return write(entry.kind(), entry.id(), document, version, isSame(version));
  }

  @Override
  public boolean remove(EntryKind kind, String id, String version) throws IOException {
    return write(kind, id, tombstone(), version, isSame(version));
  }

  private static Predicate<@Nullable String> isSame(String version) {
    return known -> Objects.requireNonNullElse(known, NO_VERSION).equals(version);
  }

  private static Document document(IndexEntry entry) {
    var document =
        switch (entry) {
          case IndexedPost post -> document(post);
          case IndexedAccount account -> document(account);
        };
    document.add(text(FINGERPRINT, entry.fingerprint()));
    document.add(new StringField(KIND, name(entry.kind()), Store.NO));
    return document;
  }

  private static Document document(IndexedPost post) {
    var document = new Document();
    document.add(new StringField(AUTHOR, post.authorId(), Store.NO));
    post.tags().forEach(tag -> document.add(new StringField(TAG, tag, Store.NO)));
    long at = post.createdAt().toEpochMilli();
    document.add(new LongPoint(AT, at));
    document.add(new NumericDocValuesField(AT, at));
    document.add(new TextField(TEXT, post.text(), Store.NO));
    return document;
  }

  private static Document document(IndexedAccount account) {
    var document = new Document();
    document.add(new SortedDocValuesField(HANDLE, new BytesRef(account.handle())));
    for (var text : SearchTerms.texts(account)) {
      document.add(new TextField(WORD, text, Store.NO));
      document.add(new TextField(BEGINNING, text, Store.NO));
    }
    return document;
  }

  private Document tombstone() {
    var document = new Document();
    document.add(new LongPoint(DELETED_AT, clock.millis()));
    document.add(text(FINGERPRINT, IndexState.DELETED));
    return document;
  }

  /** A text that is read for each write or hit, so not in a compressed block of many. */
  private static BinaryDocValuesField text(String field, String text) {
    return new BinaryDocValuesField(field, new BytesRef(text));
  }

  private static String name(EntryKind kind) {
    return switch (kind) {
      case POST -> POST;
      case ACCOUNT -> ACCOUNT;
    };
  }

  private static String key(EntryKind kind, String id) {
    return name(kind) + ' ' + id;
  }

  /** Writes if what the index has permits it. */
  private synchronized boolean write(
      EntryKind kind,
      String id,
      Document document,
      String version,
      Predicate<@Nullable String> permits)
      throws IOException {
    try {
      var key = key(kind, id);
      if (!permits.test(knownVersion(key))) {
        return false;
      }
      document.add(new StringField(KEY, key, Store.NO));
      document.add(text(ID, id));
      document.add(text(VERSION, version));
      writer.updateDocument(new Term(KEY, key), document);
      unseen.put(key, version);
      if (unseen.size() > MAX_UNSEEN) {
        refresh();
      }
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
            state(searcher, kind, id).ifPresent(states::add);
          }
          return states;
        });
  }

  private static Optional<IndexState> state(IndexSearcher searcher, EntryKind kind, String id)
      throws IOException {
    var found = found(searcher, key(kind, id));
    return found == null
        ? Optional.empty()
        : Optional.of(new IndexState(kind, id, found.text(VERSION), found.text(FINGERPRINT)));
  }

  /** A document, by its number in a segment. */
  private record Found(LeafReader segment, int doc) {
    String text(String field) throws IOException {
      var texts = DocValues.getBinary(segment, field);
      if (!texts.advanceExact(doc)) {
        throw new IOException("The index is broken: an entry has no " + field);
      }
      return texts.binaryValue().utf8ToString();
    }
  }

  /** Most segments have the keys of other times, and their first and last keys are in memory. */
  private static boolean mayHave(LeafReader segment, Term key) throws IOException {
    var keys = segment.terms(KEY);
    return keys != null
        && keys.getMin().compareTo(key.bytes()) <= 0
        && keys.getMax().compareTo(key.bytes()) >= 0;
  }

  /** At most one document of a key is not deleted. */
  private static @Nullable Found found(IndexSearcher searcher, String key) throws IOException {
    var term = new Term(KEY, key);
    for (var leaf : searcher.getIndexReader().leaves()) {
      var segment = leaf.reader();
      var docs = mayHave(segment, term) ? segment.postings(term, PostingsEnum.NONE) : null;
      if (docs == null) {
        continue;
      }
      var live = segment.getLiveDocs();
      for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
        if (live == null || live.get(doc)) {
          return new Found(segment, doc);
        }
      }
    }
    return null;
  }

  @Override
  public List<IndexState> statesAfter(EntryKind kind, String after, int limit) throws IOException {
    SearchIndex.checkStates(limit);
    refresh();
    return search(searcher -> statesAfter(searcher, kind, after, limit));
  }

  /** The keys are in the order of the ids, so a page reads no other entries. */
  private static List<IndexState> statesAfter(
      IndexSearcher searcher, EntryKind kind, String after, int limit) throws IOException {
    var states = new ArrayList<IndexState>();
    var keys = MultiTerms.getTerms(searcher.getIndexReader(), KEY);
    if (keys == null) {
      return states;
    }
    var prefix = key(kind, "");
    var each = keys.iterator();
    var start = new BytesRef(key(kind, after));
    for (var status = each.seekCeil(start);
        status != TermsEnum.SeekStatus.END && states.size() < limit;
        status = each.next() == null ? TermsEnum.SeekStatus.END : TermsEnum.SeekStatus.NOT_FOUND) {
      var key = each.term().utf8ToString();
      if (!key.startsWith(prefix)) {
        break;
      }
      if (status != TermsEnum.SeekStatus.FOUND || after.isEmpty()) {
        state(searcher, kind, key.substring(prefix.length()))
            .filter(state -> !state.isDeleted())
            .ifPresent(states::add);
      }
    }
    return states;
  }

  /** Tombstones have no author. */
  @Override
  public List<IndexState> statesOf(String authorId, String after, int limit) throws IOException {
    SearchIndex.checkStates(limit);
    return search(
        searcher -> {
          var posts = new TermQuery(new Term(AUTHOR, authorId));
          var start = after.isEmpty() ? null : start(searcher, Float.NaN, new BytesRef(after));
          var states = new ArrayList<IndexState>();
          for (var doc : searcher.searchAfter(start, posts, limit, BY_ID).scoreDocs) {
            var id = ((BytesRef) ((FieldDoc) doc).fields[0]).utf8ToString();
            state(searcher, EntryKind.POST, id).ifPresent(states::add);
          }
          return states;
        });
  }

  private @Nullable String knownVersion(String key) throws IOException {
    var latest = unseen.get(key);
    return latest != null ? latest : search(searcher -> storedVersion(searcher, key)).orElse(null);
  }

  private static Optional<String> storedVersion(IndexSearcher searcher, String key)
      throws IOException {
    var found = found(searcher, key);
    return found == null ? Optional.empty() : Optional.of(found.text(VERSION));
  }

  @Override
  public synchronized void forgetDeletions(Instant before) throws IOException {
    try {
      writer.deleteDocuments(
          LongPoint.newRangeQuery(DELETED_AT, Long.MIN_VALUE, before.toEpochMilli() - 1));
      refresh();
    } catch (AlreadyClosedException e) {
      throw closed(e);
    }
  }

  @Override
  public synchronized void refresh() throws IOException {
    try {
      searchers.maybeRefreshBlocking();
      unseen.clear();
    } catch (AlreadyClosedException e) {
      throw closed(e);
    }
  }

  /** Refreshes as well. */
  @Override
  public void commit() throws IOException {
    try {
      writer.commit();
    } catch (AlreadyClosedException e) {
      throw closed(e);
    }
    refresh();
  }

  @Override
  public List<PostHit> findPosts(PostQuery query, @Nullable SearchPosition after, int limit)
      throws IOException {
    SearchIndex.checkLimit(limit);
    int passed = after == null ? 0 : after.passed();
    int hits = Math.min(limit, MAX_DEPTH - passed);
    var words = QueryWords.queries(TEXT, query.words());
    if (hits <= 0 || (words.isEmpty() && !query.words().isBlank())) {
      return List.of();
    }
    var asOf = after == null ? Instant.ofEpochMilli(clock.millis()) : after.asOf();
    var scored = new RecencyQuery(matching(query, words), AT, new Recency(asOf.toEpochMilli()));
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
    return searcher.search(query, new TopFieldCollectorManager(BY_RELEVANCE, hits, start, hits));
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
    return searcher.search(query, new TopFieldCollectorManager(BY_HANDLE, hits, start, hits));
  }

  /** The fields are the whole order, so the number of the document only has to be a valid one. */
  private static FieldDoc start(IndexSearcher searcher, float score, Object... fields) {
    return new FieldDoc(Math.max(0, searcher.getIndexReader().maxDoc() - 1), score, fields);
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
    var all = new BooleanQuery.Builder();
    all.add(new TermQuery(new Term(KIND, ACCOUNT)), Occur.FILTER);
    terms.forEach(term -> all.add(near(term), Occur.MUST));
    var docs = limited(searcher -> best(searcher, all.build(), after, hits)).scoreDocs;
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

  /** The word itself, a word that begins with it, or one that begins with something like it. */
  private static Query near(SearchTerms.Nearby near) {
    var ways = new ArrayList<Query>();
    ways.add(weighted(new TermQuery(new Term(WORD, near.word())), 16));
    var beginning = new Term(BEGINNING, near.beginning());
    ways.add(weighted(new TermQuery(beginning), 4));
    if (near.errors() > 0) {
      ways.add(weighted(new FuzzyQuery(beginning, near.errors(), 1, near.near(), true), 1));
    }
    return new DisjunctionMaxQuery(ways, 0);
  }

  private static Query weighted(Query query, float weight) {
    return new BoostQuery(new ConstantScoreQuery(query), weight);
  }

  /** Commits and closes. */
  @Override
  public synchronized void close() throws IOException {
    try (directory;
        writer;
        searchers) {
      unseen.clear();
    }
  }

  private <T> T search(Search<T> search) throws IOException {
    IndexSearcher searcher;
    try {
      searcher = searchers.acquire();
    } catch (AlreadyClosedException e) {
      throw closed(e);
    }
    try {
      return search.in(searcher);
    } finally {
      searchers.release(searcher);
    }
  }

  /** A searcher has one limit for all threads, so each search has a searcher. */
  private <T> T limited(Search<T> search) throws IOException {
    return search(
        shared -> {
          var searcher = new IndexSearcher(shared.getIndexReader());
          searcher.setSimilarity(shared.getSimilarity());
          searcher.setTimeout(new QueryTimeoutImpl(limit.toMillis()));
          var found = search.in(searcher);
          if (searcher.timedOut()) {
            throw new SearchTimeoutException(limit);
          }
          return found;
        });
  }

  /** Lucene closes a writer by itself after a failure that it cannot undo. */
  private static IOException closed(AlreadyClosedException cause) {
    return new IOException("The index is closed", cause);
  }

  /** A read of one state of the index. */
  private interface Search<T> {
    T in(IndexSearcher searcher) throws IOException;
  }
}
