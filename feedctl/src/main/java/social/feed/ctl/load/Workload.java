package social.feed.ctl.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The requests of a load in their order, without end. Many sessions run at the same time. Each next
 * request is the next one of a session that is chosen at random, so the requests of a session are
 * some seconds apart. The same graph, mix and seed give the same requests, whatever the answers
 * are: a post is named by its author and its number.
 *
 * <p>Who opens a session is drawn from a Zipf distribution of accounts in an order of its own.
 * Whose post or profile is read is mostly an account that the reader follows, and otherwise drawn
 * from the accounts by followers.
 */
final class Workload implements Iterator<Workload.Step> {
  /** The average time between two requests of a session. */
  private static final double THINK_SECONDS = 2;

  /** The most sessions at the same time. */
  private static final int MAX_SESSIONS = 10_000;

  private static final int LONGEST_SESSION = 200;
  private static final int TAGS = 50;

  /** Older posts of an author are not read. */
  private static final int RANKED_POSTS = 100;

  /** Three of four posts and profiles are of a followed account. */
  private static final int FOLLOWED_OF = 4;

  private static final int TRIES = 8;

  private final SocialGraph graph;
  private final Random random;
  private final Mix mix;
  private final Zipf byAccount;

  /** The newest posts of an author, the newest one first. */
  private final Zipf byPost;

  private final Zipf byTag = new Zipf(TAGS, 1);
  private final List<Integer> readers;
  private final int[] posts;
  private final Map<Integer, List<Integer>> changedFollowing = new HashMap<>();
  private final List<Action> weighted = new ArrayList<>();
  private final List<Double> weights = new ArrayList<>();
  private final List<Session> sessions = new ArrayList<>();
  private long number;

  /**
   * A request.
   *
   * @param number the place in the order, from 1
   * @param account the account that sends it
   * @param target the account that it names, or the author of the post; the account itself if it
   *     names none
   * @param post the number of the author's post, from 0; -1 if it names none
   * @param tag the number of the tag; -1 if it names none
   */
  record Step(long number, Action action, int account, int target, int post, int tag) {}

  private static final class Session {
    private final int account;
    private final List<Action> actions;
    private int next;

    private Session(int account, List<Action> actions, int next) {
      this.account = account;
      this.actions = actions;
      this.next = next;
    }
  }

  /**
   * @param postsOfEach the number of posts that each account has before
   */
  Workload(SocialGraph graph, Mix mix, int postsOfEach, double perSecond, long seed) {
    this.graph = graph;
    this.mix = mix;
    // The algorithm of this generator is specified, so a seed is the same load on every JDK.
    this.random = new Random(seed);
    this.byAccount = new Zipf(graph.size(), mix.accountSkew());
    this.byPost = new Zipf(RANKED_POSTS, mix.postSkew());
    this.readers = new ArrayList<>(IntStream.range(0, graph.size()).boxed().toList());
    Collections.shuffle(readers, random);
    this.posts = new int[graph.size()];
    Arrays.fill(posts, postsOfEach);
    double sum = 0;
    for (var action : Action.values()) {
      sum += mix.weights().getOrDefault(action, 0.0);
      weighted.add(action);
      weights.add(sum);
    }
    int open = (int) Math.clamp(Math.round(perSecond * THINK_SECONDS), 1, MAX_SESSIONS);
    for (int i = 0; i < open; i++) {
      // Otherwise all sessions would begin at once.
      var session = session();
      session.next = random.nextInt(session.actions.size());
      sessions.add(session);
    }
  }

  @Override
  public boolean hasNext() {
    return true;
  }

  @Override
  public Step next() {
    int chosen = random.nextInt(sessions.size());
    var session = sessions.get(chosen);
    var step = step(session.actions.get(session.next++), session.account);
    if (session.next == session.actions.size()) {
      sessions.set(chosen, session());
    }
    return step;
  }

  private Session session() {
    var actions = new ArrayList<>(List.of(Action.UNREAD, Action.HOME));
    long more = Math.round(-StrictMath.log(1 - random.nextDouble()) * mix.actions());
    for (int i = 0; i < Math.min(more, LONGEST_SESSION); i++) {
      actions.add(action());
    }
    return new Session(readers.get(byAccount.draw(random)), actions, 0);
  }

  private Action action() {
    double drawn = random.nextDouble() * weights.getLast();
    int i = 0;
    while (weights.get(i) <= drawn) {
      i++;
    }
    return weighted.get(i);
  }

  private Step step(Action action, int account) {
    number++;
    return switch (action) {
      case UNREAD, HOME, OLDER, NOTIFICATIONS, READ_ALL, TRENDS, AUTHORS ->
          new Step(number, action, account, account, -1, -1);
      case TAG -> new Step(number, action, account, account, -1, byTag.draw(random));
      case PROFILE, TIMELINE, FOLLOWERS ->
          new Step(number, action, account, someone(account), -1, -1);
      case READ, COMMENTS, LIKE, UNLIKE, COMMENT -> {
        int author = someone(account);
        int back = byPost.draw(random, Math.min(RANKED_POSTS, posts[author]));
        yield new Step(number, action, account, author, posts[author] - 1 - back, -1);
      }
      case WRITE ->
          new Step(number, action, account, account, posts[account]++, byTag.draw(random));
      case FOLLOW -> {
        int followee = stranger(account);
        following(account).add(followee);
        yield new Step(number, action, account, followee, -1, -1);
      }
      case UNFOLLOW -> {
        var followed = following(account);
        int followee =
            followed.isEmpty()
                ? stranger(account)
                : followed.remove(random.nextInt(followed.size()));
        yield new Step(number, action, account, followee, -1, -1);
      }
    };
  }

  private List<Integer> following(int account) {
    return changedFollowing.computeIfAbsent(
        account, a -> new ArrayList<>(IntStream.of(graph.following(a)).boxed().toList()));
  }

  /** Returns an account whose posts the reader reads, never itself. */
  private int someone(int reader) {
    var changed = changedFollowing.get(reader);
    int followed = changed == null ? graph.following(reader).length : changed.size();
    if (followed > 0 && random.nextInt(FOLLOWED_OF) > 0) {
      int place = random.nextInt(followed);
      return changed == null ? graph.following(reader)[place] : changed.get(place);
    }
    return popular(reader);
  }

  private int popular(int reader) {
    int drawn = graph.popular(byAccount.draw(random));
    return drawn == reader ? graph.popular(reader == graph.popular(0) ? 1 : 0) : drawn;
  }

  /** Returns an account that is not followed yet, if a few tries find one. */
  private int stranger(int account) {
    var followed = following(account);
    int drawn = popular(account);
    for (int i = 0; i < TRIES && followed.contains(drawn); i++) {
      drawn = popular(account);
    }
    return drawn;
  }
}
