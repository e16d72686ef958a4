package social.feed.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
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
import social.feed.benchmarks.Svg.Ratio;
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
  private static final int SEARCHES = 5_000;

  /** Of as many terms as are searched for, which take longer. */
  private static final int LONG_SEARCHES = 1_000;

  /** The words of a long post, and the characters of its line. */
  private static final int LONG = 140;

  private static final int CHARACTERS = 2_000;
  private static final char FIRST_WORD = '\uac00';
  private static final char FIRST_OF_LINE = '\u4e00';
  private static final int COMMIT = 1_000;

  /** A search in fewer posts than an index lists finds all of them. */
  private static final int CHECKED_POSTS = 900;

  private static final int CHECKED_SEARCHES = 300;

  /** The largest ratio of the 99th percentiles that is wanted. */
  private static final double GOAL = Goal.SEARCH.limit();

  private static final double MICROS = 1e3;

  private final Path folder;
  private final int rounds;
  private final List<IndexedPost> posts;
  private final List<IndexedPost> longPosts;
  private final List<List<String>> rates = new ArrayList<>();
  private final List<List<String>> medians = new ArrayList<>();
  private final List<List<String>> tails = new ArrayList<>();
  private final List<Ratio> medianRatios = new ArrayList<>();
  private final List<Ratio> tailRatios = new ArrayList<>();
  private int folders;

  private Search(Path folder, int rounds, int posts) {
    var random = new Random(1);
    this.folder = folder;
    this.rounds = rounds;
    this.posts = posts(posts, random, Search::text);
    this.longPosts = posts(posts, random, Search::longText);
  }

  private static List<IndexedPost> posts(
      int count, Random random, Function<Random, String> textOf) {
    return IntStream.range(0, count)
        .mapToObj(i -> post(i, random, textOf))
        .sorted(Comparator.comparing(IndexedPost::createdAt))
        .toList();
  }

  private static String text(Random random) {
    return IntStream.range(0, 5 + random.nextInt(30))
        .mapToObj(_ -> word(random))
        .collect(Collectors.joining(" "));
  }

  /** Words of one character, then a line without spaces; almost as long as a post may be. */
  private static String longText(Random random) {
    var words =
        IntStream.range(0, LONG)
            .mapToObj(_ -> character(FIRST_WORD, random))
            .collect(Collectors.joining(" "));
    var line =
        IntStream.range(0, LONG)
            .mapToObj(_ -> character(FIRST_OF_LINE, random))
            .collect(Collectors.joining());
    return words + ' ' + line;
  }

  /** The frequencies fall as those of words. */
  private static String character(char first, Random random) {
    return Character.toString(first + (int) Math.pow(CHARACTERS, random.nextDouble()));
  }

  private static IndexedPost post(int number, Random random, Function<Random, String> textOf) {
    var at = NOW.minus(Duration.ofMinutes(random.nextInt(500_000)));
    var text = textOf.apply(random);
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
    COMMON_WORD("one common word"),
    WORD("one word"),
    WORDS("two words"),
    PHRASE("two neighbours"),
    AUTHOR("a word of an author"),
    MANY_WORDS("128 words"),
    MANY_COMMON_WORDS("the 128 most common words"),
    MANY_NEIGHBOURS("128 neighbours");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /** Whether it is a search of long posts. */
    boolean isLong() {
      return switch (this) {
        case COMMON_WORD, WORD, WORDS, PHRASE, AUTHOR -> false;
        case MANY_WORDS, MANY_COMMON_WORDS, MANY_NEIGHBOURS -> true;
      };
    }

    Query query(List<IndexedPost> posts, Random random) {
      var post = posts.get(random.nextInt(posts.size()));
      return isLong() ? ofManyTerms(post, random) : ofFewTerms(post, random);
    }

    private Query ofManyTerms(IndexedPost post, Random random) {
      var words = List.of(post.text().split(" "));
      int place = random.nextInt(LONG - SearchIndex.MAX_TERMS);
      return switch (this) {
        case MANY_WORDS -> Query.of(words.subList(place, place + SearchIndex.MAX_TERMS));
        case MANY_COMMON_WORDS ->
            Query.of(
                IntStream.rangeClosed(1, SearchIndex.MAX_TERMS)
                    .mapToObj(rank -> Character.toString(FIRST_WORD + rank))
                    .toList());
        default -> {
          var line = words.getLast().substring(place, place + SearchIndex.MAX_TERMS);
          var pairs =
              IntStream.range(0, SearchIndex.MAX_TERMS - 1)
                  .mapToObj(i -> line.substring(i, i + 2))
                  .toList();
          yield new Query(line, pairs, true, null);
        }
      };
    }

    private Query ofFewTerms(IndexedPost post, Random random) {
      var words = post.text().split(" ");
      int place = random.nextInt(words.length - 1);
      return switch (this) {
        case COMMON_WORD -> Query.of(List.of("w" + (1 + random.nextInt(3))));
        case WORD -> Query.of(List.of(words[place]));
        case WORDS -> Query.of(List.of(words[place], words[place + 1]));
        case PHRASE -> {
          var neighbours = List.of(words[place], words[place + 1]);
          yield new Query('"' + String.join(" ", neighbours) + '"', neighbours, true, null);
        }
        default -> new Query(words[place], List.of(words[place]), false, post.authorId());
      };
    }
  }

  /**
   * A search.
   *
   * @param text as one sends it
   * @param words the terms that it has
   */
  private record Query(String text, List<String> words, boolean isPhrase, @Nullable String author) {
    static Query of(List<String> words) {
      return new Query(String.join(" ", words), words, false, null);
    }
  }

  /** Opens a side in an empty folder. */
  private interface Opening {
    Side in(Path folder) throws IOException;
  }

  /** A way to index and search. */
  private interface Side extends AutoCloseable {
    void put(IndexedPost post, int version) throws IOException;

    void commit() throws IOException;

    int search(Query query) throws IOException;

    /** Returns the ids of all posts that a search finds, of at most a thousand posts. */
    Set<String> all(Query query) throws IOException;

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
      return index.findPosts(asked(query), null, PAGE).size();
    }

    private static PostQuery asked(Query query) {
      return new PostQuery(query.text(), query.author(), null, null, null);
    }

    @Override
    public Set<String> all(Query query) throws IOException {
      var ids = new HashSet<String>();
      var page = index.findPosts(asked(query), null, PAGE);
      while (!page.isEmpty()) {
        for (var hit : page) {
          if (!ids.add(hit.id())) {
            throw new IllegalStateException("Two pages have the post " + hit.id());
          }
        }
        page = index.findPosts(asked(query), page.getLast().position(), PAGE);
      }
      return ids;
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
      return ids(query, PAGE).size();
    }

    @Override
    public Set<String> all(Query query) throws IOException {
      return Set.copyOf(ids(query, CHECKED_POSTS));
    }

    private List<String> ids(Query query, int hits) throws IOException {
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
        var found = new ArrayList<String>();
        for (var hit : searcher.search(all.build(), hits).scoreDocs) {
          found.add(searcher.storedFields().document(hit.doc).get("id"));
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

  /** Arguments: rounds, posts; or {@code --check}. */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("--check")) {
      check();
      return;
    }
    int rounds = Integer.parseInt(arguments[0]);
    int count = Integer.parseInt(arguments[1]);
    var report = new BenchmarkReport("search", "The search index against bare Lucene");
    report.paragraph(
        "%,d posts. %d rounds in turns, after one that does not count; %,d searches of each kind in a round, %,d of each kind of 128 terms, one after the other. Medians over the rounds, and the median of the ratios of each round. The goal is a ratio of at most %.1f for the 99th percentile."
            .formatted(count, rounds, SEARCHES, LONG_SEARCHES, GOAL));
    var folder = Files.createTempDirectory("search");
    try {
      new Search(folder, rounds, count).run(report);
    } finally {
      delete(folder);
    }
  }

  /** Compares what both sides find. A post that only one has must be noticed. */
  private static void check() throws Exception {
    var folder = Files.createTempDirectory("search");
    var search = new Search(folder, 1, CHECKED_POSTS / 2);
    try (var ours = Ours.in(search.newFolder());
        var bare = Bare.in(search.newFolder())) {
      for (var side : List.of(ours, bare)) {
        search.write(search.posts, side);
        search.write(search.longPosts, side);
      }
      var differing = search.differing(ours, bare);
      if (!differing.isEmpty()) {
        throw new IllegalStateException("Both sides do not find the same: " + differing);
      }
      ours.index().deletePost(search.posts.get(0).id(), "%09d".formatted(2));
      ours.commit();
      if (search.differing(ours, bare).isEmpty()) {
        throw new IllegalStateException("A post that only one side has was not noticed");
      }
      System.out.printf(
          "Both sides find the same posts in %,d searches.%n",
          CHECKED_SEARCHES * Kind.values().length);
    } finally {
      delete(folder);
    }
  }

  /** The searches of which both sides do not find the same, by kind. */
  private List<String> differing(Side ours, Side bare) throws IOException {
    var differing = new ArrayList<String>();
    for (var kind : Kind.values()) {
      var random = new Random(kind.ordinal());
      int found = 0;
      for (int i = 0; i < CHECKED_SEARCHES; i++) {
        var query = kind.query(postsOf(kind), random);
        var expected = bare.all(query);
        found += expected.size();
        if (!ours.all(query).equals(expected)) {
          differing.add(kind.title + ": " + query);
        }
      }
      requireFound(kind, found);
    }
    return differing;
  }

  private List<IndexedPost> postsOf(Kind kind) {
    return kind.isLong() ? longPosts : posts;
  }

  /** No post has each of the most common words. */
  private static void requireFound(Kind kind, int found) {
    if (found == 0 && kind != Kind.MANY_COMMON_WORDS) {
      throw new IllegalStateException("No search found anything: " + kind);
    }
  }

  private void run(BenchmarkReport report) throws Exception {
    compareWrites("a new post", () -> writtenNew(Ours::in), () -> writtenNew(Bare::in));
    try (var ours = Ours.in(newFolder());
        var bare = Bare.in(newFolder())) {
      compareWrites("a post again", writes(ours), writes(bare));
      compareSearches(false, ours, bare);
    }
    try (var ours = Ours.in(newFolder());
        var bare = Bare.in(newFolder())) {
      write(longPosts, ours);
      write(longPosts, bare);
      compareSearches(true, ours, bare);
    }
    report.heading("Posts written, with a commit after each %,d".formatted(COMMIT));
    report.table(List.of("posts a second", "index", "bare Lucene", "ratio of the times"), rates);
    report.heading("A write without the commit, and the first page of a search, in µs");
    report.table(List.of("99th percentile", "index", "bare Lucene", "ratio", ""), tails);
    report.table(List.of("median", "index", "bare Lucene", "ratio"), medians);
    report.paragraph("The times of the index by those of bare Lucene. A bar is the goal.");
    report.plot("tails", Svg.ratios("99th percentile", tailRatios));
    report.plot("medians", Svg.ratios("Median", medianRatios));
    report.write();
  }

  private void compareSearches(boolean areLong, Side ours, Side bare) throws Exception {
    for (var kind : Kind.values()) {
      if (kind.isLong() == areLong) {
        compare(kind.title, () -> searches(kind, ours), () -> searches(kind, bare));
      }
    }
  }

  private void write(List<IndexedPost> all, Side side) throws IOException {
    int written = 0;
    for (var post : all) {
      side.put(post, 1);
      if (++written % COMMIT == 0) {
        side.commit();
      }
    }
    side.commit();
  }

  private Path newFolder() throws IOException {
    return Files.createDirectory(folder.resolve("index" + folders++));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /**
   * What one run of a side took.
   *
   * @param millis all of it
   * @param times each call, in nanoseconds
   */
  private record Run(double millis, Histogram times) {
    double micros(int percentile) {
      return times.getValueAtPercentile(percentile) / MICROS;
    }
  }

  private void compareWrites(String title, Callable<Run> ours, Callable<Run> bare)
      throws Exception {
    var totals = compare(title, ours, bare);
    rates.add(
        List.of(
            title,
            "%,.0f".formatted(totals.one().rate(posts.size())),
            "%,.0f".formatted(totals.other().rate(posts.size())),
            totals.ratio()));
  }

  private Samples.Sides compare(String title, Callable<Run> ours, Callable<Run> bare)
      throws Exception {
    System.err.println(title);
    var one = new ArrayList<Run>();
    var other = new ArrayList<Run>();
    var totals = Samples.Sides.inTurns(rounds, () -> millis(ours, one), () -> millis(bare, other));
    var tail = new Samples.Sides(percentile(one, 99), percentile(other, 99));
    var ratio = new Ratio(title, tail.one().ratioTo(tail.other()), GOAL, true);
    var missed = ratio.isReached() ? "" : "misses %.1f".formatted(GOAL);
    tails.add(List.of(title, tail.one().spread(), tail.other().spread(), tail.ratio(), missed));
    tailRatios.add(ratio);
    var median = new Samples.Sides(percentile(one, 50), percentile(other, 50));
    medians.add(List.of(title, median.one().spread(), median.other().spread(), median.ratio()));
    medianRatios.add(new Ratio(title, median.one().ratioTo(median.other()), GOAL, true));
    return totals;
  }

  /** The first run only warms. */
  private static Samples percentile(List<Run> runs, int percentile) {
    var samples = new Samples();
    runs.stream().skip(1).forEach(run -> samples.add(run.micros(percentile)));
    return samples;
  }

  private static double millis(Callable<Run> side, List<Run> runs) throws Exception {
    var run = side.call();
    runs.add(run);
    return run.millis;
  }

  /** Writes all posts into a new index. */
  private Run writtenNew(Opening opening) throws Exception {
    var place = newFolder();
    try (var side = opening.in(place)) {
      return written(side, 1);
    } finally {
      delete(place);
    }
  }

  /** Writes all posts again each time, the first time as new ones. */
  private Callable<Run> writes(Side side) {
    var version = new AtomicInteger();
    return () -> written(side, version.incrementAndGet());
  }

  private Run written(Side side, int version) throws IOException {
    var times = new Histogram(3);
    long first = System.nanoTime();
    int written = 0;
    for (var post : posts) {
      long started = System.nanoTime();
      side.put(post, version);
      times.recordValue(System.nanoTime() - started);
      if (++written % COMMIT == 0) {
        side.commit();
      }
    }
    side.commit();
    return new Run((System.nanoTime() - first) / MICROS / MICROS, times);
  }

  private Run searches(Kind kind, Side side) throws IOException {
    var random = new Random(kind.ordinal());
    var times = new Histogram(3);
    long first = System.nanoTime();
    int found = 0;
    int searches = kind.isLong() ? LONG_SEARCHES : SEARCHES;
    for (int i = 0; i < searches; i++) {
      var query = kind.query(postsOf(kind), random);
      long started = System.nanoTime();
      found += side.search(query);
      times.recordValue(System.nanoTime() - started);
    }
    requireFound(kind, found);
    return new Run((System.nanoTime() - first) / MICROS / MICROS, times);
  }
}
