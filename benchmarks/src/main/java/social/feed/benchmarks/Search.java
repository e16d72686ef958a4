package social.feed.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.icu.ICUFoldingFilter;
import org.apache.lucene.analysis.icu.segmentation.DefaultICUTokenizerConfig;
import org.apache.lucene.analysis.icu.segmentation.ICUTokenizer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;
import social.feed.search.IndexedPost;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;
import social.feed.search.lucene.LuceneIndex;
import social.feed.table.kernel.id.TimeOrderedId;

/**
 * Measures the search index against Lucene as one would otherwise use it: the same terms and the
 * same words to search for, with its usual score and without versions.
 */
final class Search {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final int VOCABULARY = 20_000;
  private static final int AUTHORS = 1_000;
  private static final int PAGE = 20;
  private static final int SEARCHES = 500;
  private static final int COMMIT = 1_000;
  private static final double GOAL = 1.5;
  private static final double MICROS = 1e3;

  private final List<IndexedPost> posts;

  private Search(int posts) {
    var random = new Random(1);
    this.posts = IntStream.range(0, posts).mapToObj(i -> post(i, random)).toList();
  }

  private static IndexedPost post(int number, Random random) {
    var at = NOW.minus(Duration.ofMinutes(random.nextInt(500_000)));
    var text =
        IntStream.range(0, 5 + random.nextInt(30))
            .mapToObj(_ -> word(random))
            .collect(Collectors.joining(" "));
    var author = "a" + random.nextInt(AUTHORS);
    return new IndexedPost(
        TimeOrderedId.named(at, "p" + number), author, text, Set.of("t" + number % 100), at);
  }

  /** The word of rank n occurs about once as often as the first by n. */
  private static String word(Random random) {
    return "w" + (int) Math.pow(VOCABULARY, random.nextDouble());
  }

  /** A kind of search. */
  private enum Kind {
    COMMON_WORD("one word of most posts"),
    WORD("one word"),
    WORDS("two words"),
    PHRASE("two neighbours"),
    AUTHOR("a word of an author");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    Query query(List<IndexedPost> posts, Random random) {
      var post = posts.get(random.nextInt(posts.size()));
      var words = post.text().split(" ");
      int place = random.nextInt(words.length - 1);
      return switch (this) {
        case COMMON_WORD -> new Query(List.of("w" + (1 + random.nextInt(3))), false, null);
        case WORD -> new Query(List.of(words[place]), false, null);
        case WORDS -> new Query(List.of(words[place], words[place + 1]), false, null);
        case PHRASE -> new Query(List.of(words[place], words[place + 1]), true, null);
        case AUTHOR -> new Query(List.of(words[place]), false, post.authorId());
      };
    }
  }

  private record Query(List<String> words, boolean isPhrase, @Nullable String author) {}

  /** A way to index and search. */
  private interface Side extends AutoCloseable {
    void put(IndexedPost post, int version) throws IOException;

    void commit() throws IOException;

    int search(Query query) throws IOException;

    @Override
    void close() throws IOException;
  }

  private record Ours(SearchIndex index) implements Side {
    static Ours in(Path folder) throws IOException {
      return new Ours(LuceneIndex.at(folder, InstantSource.fixed(NOW)));
    }

    @Override
    public void put(IndexedPost post, int version) throws IOException {
      index.putPost(post, "%09d".formatted(version));
    }

    @Override
    public void commit() throws IOException {
      index.commit();
      index.refresh();
    }

    @Override
    public int search(Query query) throws IOException {
      var words = String.join(" ", query.words());
      var asked = query.isPhrase() ? '"' + words + '"' : words;
      return index
          .findPosts(new PostQuery(asked, query.author(), null, null, null), null, PAGE)
          .size();
    }

    @Override
    public void close() throws IOException {
      index.close();
    }
  }

  private record Bare(FSDirectory directory, IndexWriter writer, SearcherManager searchers)
      implements Side {
    static Bare in(Path folder) throws IOException {
      var directory = FSDirectory.open(folder);
      var writer = new IndexWriter(directory, new IndexWriterConfig(new Words()));
      return new Bare(directory, writer, new SearcherManager(writer, new SearcherFactory()));
    }

    @Override
    public void put(IndexedPost post, int version) throws IOException {
      var document = new Document();
      document.add(new StringField("id", post.id(), Store.YES));
      document.add(new StringField("author", post.authorId(), Store.NO));
      post.tags().forEach(tag -> document.add(new StringField("tag", tag, Store.NO)));
      document.add(new LongPoint("at", post.createdAt().toEpochMilli()));
      document.add(new TextField("text", post.text(), Store.NO));
      writer.updateDocument(new Term("id", post.id()), document);
    }

    @Override
    public void commit() throws IOException {
      writer.commit();
      searchers.maybeRefreshBlocking();
    }

    @Override
    public int search(Query query) throws IOException {
      var all = new BooleanQuery.Builder();
      if (query.isPhrase()) {
        all.add(new PhraseQuery("text", query.words().toArray(String[]::new)), Occur.MUST);
      } else {
        query.words().forEach(word -> all.add(new TermQuery(new Term("text", word)), Occur.MUST));
      }
      if (query.author() != null) {
        all.add(new TermQuery(new Term("author", query.author())), Occur.FILTER);
      }
      IndexSearcher searcher = searchers.acquire();
      try {
        int found = 0;
        for (var hit : searcher.search(all.build(), PAGE).scoreDocs) {
          found += searcher.storedFields().document(hit.doc).get("id").isEmpty() ? 0 : 1;
        }
        return found;
      } finally {
        searchers.release(searcher);
      }
    }

    @Override
    public void close() throws IOException {
      searchers.close();
      writer.close();
      directory.close();
    }
  }

  /** The terms of the index. */
  private static final class Words extends Analyzer {
    @Override
    protected TokenStreamComponents createComponents(String field) {
      var words = new ICUTokenizer(new DefaultICUTokenizerConfig(false, true));
      return new TokenStreamComponents(words, new CJKBigramFilter(new ICUFoldingFilter(words)));
    }
  }

  /** Arguments: rounds, posts. */
  public static void main(String[] arguments) throws Exception {
    int rounds = Integer.parseInt(arguments[0]);
    int count = Integer.parseInt(arguments[1]);
    var report = new BenchmarkReport("search", "The search index against bare Lucene");
    report.paragraph(
        "%,d posts, %d rounds in turns, %d searches of each kind in a round, one after the other; medians, and the median of the ratios of each round. The goal is a ratio of at most %.1f for the 99th percentile."
            .formatted(count, rounds, SEARCHES, GOAL));
    new Search(count).run(rounds, report);
    report.write();
  }

  private void run(int rounds, BenchmarkReport report) throws Exception {
    var folder = Files.createTempDirectory("search");
    try (var ours = Ours.in(folder.resolve("ours"));
        var bare = Bare.in(folder.resolve("bare"))) {
      var indexing = Samples.Sides.inTurns(rounds, writes(ours), writes(bare));
      report.table(
          List.of("posts a second", "index", "bare Lucene", "ratio of the times"),
          List.of(
              List.of(
                  "written, committed each %,d".formatted(COMMIT),
                  "%,.0f".formatted(indexing.one().rate(posts.size())),
                  "%,.0f".formatted(indexing.other().rate(posts.size())),
                  indexing.ratio())));
      var medians = new ArrayList<List<String>>();
      var tails = new ArrayList<List<String>>();
      for (var kind : Kind.values()) {
        medians.add(compared(kind, rounds, 50, ours, bare));
        tails.add(compared(kind, rounds, 99, ours, bare));
      }
      report.heading("The first page of a search, in µs");
      report.table(List.of("median", "index", "bare Lucene", "ratio"), medians);
      report.table(List.of("99th percentile", "index", "bare Lucene", "ratio"), tails);
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Writes all posts, the first time as new ones. Returns milliseconds. */
  private Callable<Double> writes(Side side) {
    var version = new int[1];
    return () -> {
      version[0]++;
      long started = System.nanoTime();
      int written = 0;
      for (var post : posts) {
        side.put(post, version[0]);
        if (++written % COMMIT == 0) {
          side.commit();
        }
      }
      side.commit();
      return (System.nanoTime() - started) / MICROS / MICROS;
    };
  }

  private List<String> compared(Kind kind, int rounds, int percentile, Side ours, Side bare)
      throws Exception {
    var sides =
        Samples.Sides.inTurns(
            rounds,
            () -> searches(kind, ours).getValueAtPercentile(percentile) / MICROS,
            () -> searches(kind, bare).getValueAtPercentile(percentile) / MICROS);
    boolean misses = percentile == 99 && sides.one().ratioTo(sides.other()) > GOAL;
    return List.of(
        kind.title,
        sides.one().spread(),
        sides.other().spread(),
        sides.ratio() + (misses ? " misses" : ""));
  }

  private Histogram searches(Kind kind, Side side) throws IOException {
    var random = new Random(kind.ordinal());
    var times = new Histogram(3);
    int found = 0;
    for (int i = 0; i < SEARCHES; i++) {
      var query = kind.query(posts, random);
      long started = System.nanoTime();
      found += side.search(query);
      times.recordValue(System.nanoTime() - started);
    }
    if (found == 0) {
      throw new IllegalStateException("No search found anything: " + kind);
    }
    return times;
  }
}
