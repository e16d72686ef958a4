package social.feed.ctl.demo;

import static social.feed.table.kernel.store.Condition.absent;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import social.feed.table.engagement.Comments;
import social.feed.table.engagement.Likes;
import social.feed.table.graph.FollowWriter;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.store.TableScanner.Stored;
import social.feed.table.post.PostText;
import social.feed.table.post.Posts;
import social.feed.table.row.Comment;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Follow;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.table.user.Users;

/**
 * A small world: sixty accounts with follows, posts of the last two days, likes and comments, and
 * an account that most others follow. The world is written through the stores, because the API
 * cannot write into the past. Its effects come through the stream as those of any write.
 *
 * <p>Two rows that nothing else writes say that the world was begun and that it is finished: marks
 * of effects, with names of their own. The first one holds the time of the world. So a world that
 * was interrupted is continued with the same rows, as the seed is the same.
 */
public final class DemoWorld {
  /** With fewer followers than the celebrity of this world has. */
  public static final long CELEBRITY_THRESHOLD = 40;

  private static final int CELEBRITY = 1;
  private static final int FOLLOWED_EACH = 6;
  private static final int POSTS = 300;
  private static final int LIKES = 900;
  private static final int COMMENTS = 250;
  private static final int FOLLOWED_MAX = 5_000;
  private static final int AT_ONCE = 4;
  private static final Duration AGE = Duration.ofDays(2);
  private static final long SEED = 7;

  private static final String BEGUN = "demo-world-begun";
  private static final String FINISHED = "demo-world-finished";

  /** For so long after the time of the world, its marks do not expire. */
  private static final Duration MARKED = Duration.ofDays(100 * 365);

  private final Table table;
  private final Users users;
  private final RandomGenerator random = new Random(SEED);
  private final int divisor;
  private Instant now;

  /**
   * @param now the end of the time in which everything happened, for a world that is not begun; its
   *     second counts
   */
  public DemoWorld(Table table, Instant now) {
    this(table, now, 1);
  }

  /**
   * As above, with fewer posts, likes and comments.
   *
   * @param divisor 3 for a third of them
   */
  public DemoWorld(Table table, Instant now, int divisor) {
    this.table = table;
    this.users = new Users(table);
    this.divisor = divisor;
    this.now = now.truncatedTo(ChronoUnit.SECONDS);
  }

  /**
   * Writes what is missing. Returns whether something was. Some 2 000 writes, in about two seconds.
   *
   * @throws IllegalStateException if the table has accounts of others; nothing is written then
   */
  public boolean create() {
    if (timeOf(FINISHED).isPresent()) {
      return false;
    }
    begin();
    var ids = DemoTexts.NAMES.stream().map(DemoTexts::id).toList();
    each(DemoTexts.NAMES, this::register);
    follow(ids);
    var posts = posts(ids);
    engage(ids, posts);
    mark(FINISHED);
    return true;
  }

  private void begin() {
    var begun = timeOf(BEGUN);
    if (begun.isPresent()) {
      now = begun.get();
      return;
    }
    if (hasAccounts()) {
      throw new IllegalStateException(
          "--demo fills an empty platform, and this one has accounts. Start it without --demo, or"
              + " keep the demo elsewhere: ./feed up --demo --in-memory, or with --data and a new"
              + " folder.");
    }
    mark(BEGUN);
  }

  private void mark(String name) {
    var _ = table.put(new ProcessedEvent(name, now.plus(MARKED).getEpochSecond()), absent());
  }

  /** Returns the time of the world in a mark, if the mark is there. */
  private Optional<Instant> timeOf(String mark) {
    return table
        .get(ProcessedEvent.key(mark))
        .map(RowCodec::decode)
        .map(ProcessedEvent.class::cast)
        .map(row -> Instant.ofEpochSecond(row.expiresAt()).minus(MARKED));
  }

  private boolean hasAccounts() {
    return new TableScanner(table)
        .items()
        .flatMap(List::stream)
        .anyMatch(item -> item instanceof Stored stored && stored.row() instanceof User);
  }

  private void register(String name) {
    var id = DemoTexts.id(name);
    var _ = users.register(User.registered(id, id, name, null, now.minus(AGE)));
  }

  private void follow(List<String> ids) {
    var follows = new FollowWriter(table, FOLLOWED_MAX);
    var edges = new ArrayList<List<Follow>>();
    for (int i = 0; i < ids.size(); i++) {
      var followed = new HashSet<Integer>();
      if (i != CELEBRITY && i % 10 != 9) {
        followed.add(CELEBRITY);
      }
      while (followed.size() < FOLLOWED_EACH + (i == 0 ? 4 : 0)) {
        int other = random.nextInt(ids.size());
        if (other != i) {
          followed.add(other);
        }
      }
      int follower = i;
      edges.add(
          followed.stream()
              .map(
                  other ->
                      Follow.of(
                          ids.get(follower),
                          ids.get(other),
                          millis(now.minus(AGE).plusSeconds(follower))))
              .toList());
    }
    // The edges of a follower share its quota, so they are written one after the other.
    each(edges, ofOne -> ofOne.forEach(follows::follow));
  }

  private List<Post> posts(List<String> ids) {
    var store = new Posts(table);
    var posts =
        IntStream.range(0, POSTS / divisor)
            .mapToObj(_ -> post(ids.get(author(ids.size())), moment(AGE)))
            .sorted(Comparator.comparing(Post::createdAt))
            .toList();
    each(posts, store::create);
    return posts;
  }

  /** Some accounts write far more than others. */
  private int author(int accounts) {
    double skewed = Math.pow(random.nextDouble(), 2);
    return (int) (skewed * accounts);
  }

  private Post post(String author, Instant at) {
    var text = DemoTexts.post(random);
    return new Post(
        TimeOrderedId.random(at, random),
        author,
        text,
        PostText.tags(text),
        List.of(),
        Visibility.PUBLIC,
        null,
        at,
        Post.FEED_SHARDS,
        FanOutMode.PUSH,
        0,
        0,
        Map.of());
  }

  private void engage(List<String> ids, List<Post> posts) {
    var likes = new Likes(table);
    var comments = new Comments(table);
    var written = new ArrayList<Runnable>();
    for (int i = 0; i < LIKES / divisor; i++) {
      var post = posts.get(random.nextInt(posts.size()));
      var like = Like.of(post, ids.get(random.nextInt(ids.size())), after(post));
      written.add(() -> likes.add(like));
    }
    for (int i = 0; i < COMMENTS / divisor; i++) {
      var post = posts.get(random.nextInt(posts.size()));
      var at = after(post);
      var comment =
          new Comment(
              post.postId(),
              TimeOrderedId.random(at, random),
              ids.get(random.nextInt(ids.size())),
              post.authorId(),
              DemoTexts.comment(random),
              at);
      written.add(() -> comments.add(comment));
    }
    each(written, Runnable::run);
  }

  private Instant moment(Duration before) {
    return millis(now.minusMillis(1 + random.nextLong(before.toMillis())));
  }

  private Instant after(Post post) {
    return moment(Duration.between(post.createdAt(), now).plusMillis(1));
  }

  private static Instant millis(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS);
  }

  private static <T> void each(List<T> inputs, Consumer<T> call) {
    ParallelCalls.map(
        inputs,
        AT_ONCE,
        input -> {
          call.accept(input);
          return true;
        });
  }
}
