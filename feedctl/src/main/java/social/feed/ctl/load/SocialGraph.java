package social.feed.ctl.load;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import social.feed.ctl.graph.EdgeFile;

/**
 * The accounts of a load and who follows whom. Accounts have the numbers 0 to n - 1, in the order
 * in which the file names them. Keeps four bytes for each edge in memory.
 */
public final class SocialGraph {
  /** The most accounts of a load. */
  public static final int MAX_ACCOUNTS = 1_000_000;

  /** The most edges of a load. */
  public static final int MAX_EDGES = 20_000_000;

  /** One of three new follows is returned. */
  private static final int RETURNED = 3;

  private final List<String> ids;
  private final int[][] following;
  private final int edges;
  private final int[] popular;

  private SocialGraph(List<String> ids, int[][] following, int edges) {
    this.ids = List.copyOf(ids);
    this.following = following;
    this.edges = edges;
    this.popular = byFollowers(following);
  }

  /**
   * Reads a graph. A repeated line is one more edge in memory.
   *
   * @throws IllegalArgumentException if the graph has a bad line, fewer than two accounts or too
   *     many accounts or edges
   */
  public static SocialGraph read(EdgeFile file) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    List<int[]> following = new ArrayList<>();
    var sizes = new ArrayList<Integer>();
    int edges = 0;
    try (var lines = file.lines()) {
      for (var line : (Iterable<EdgeFile.Line>) lines::iterator) {
        switch (line) {
          case EdgeFile.Line.Bad bad ->
              throw new IllegalArgumentException(
                  "Line %,d of the graph is bad: %s: %s"
                      .formatted(bad.number(), bad.reason(), bad.text()));
          case EdgeFile.Line.Edge(var follower, var followee) -> {
            int from = number(follower, numbers, following, sizes);
            int to = number(followee, numbers, following, sizes);
            var known = following.get(from);
            int size = sizes.get(from);
            if (size == known.length) {
              known = Arrays.copyOf(known, Math.max(4, size * 2));
              following.set(from, known);
            }
            known[size] = to;
            sizes.set(from, size + 1);
            edges++;
            requireAtMost(MAX_EDGES, edges, "edges");
          }
        }
      }
    }
    if (numbers.size() < 2) {
      throw new IllegalArgumentException("The graph must have at least two accounts");
    }
    var exact = new int[numbers.size()][];
    Arrays.setAll(exact, i -> Arrays.copyOf(following.get(i), sizes.get(i)));
    return new SocialGraph(new ArrayList<>(numbers.keySet()), exact, edges);
  }

  private static int number(
      String id, Map<String, Integer> numbers, List<int[]> following, List<Integer> sizes) {
    var known = numbers.get(id);
    if (known != null) {
      return known;
    }
    int number = numbers.size();
    requireAtMost(MAX_ACCOUNTS, number + 1, "accounts");
    numbers.put(id, number);
    following.add(new int[0]);
    sizes.add(0);
    return number;
  }

  private static void requireAtMost(int max, int value, String what) {
    if (value > max) {
      throw new IllegalArgumentException("The graph has more than %,d %s".formatted(max, what));
    }
  }

  /**
   * Writes a graph by preferential attachment, as lines that {@link EdgeFile} reads: each account
   * follows earlier ones, which it chooses in proportion to their followers plus one. A third of
   * the edges is returned. The same arguments give the same file.
   *
   * @param ids the accounts
   * @param follows how many accounts each one follows, without those that it returns
   */
  public static void generate(List<String> ids, int follows, long seed, Path to) {
    // The algorithm of this generator is specified, so a graph is the same on every JDK.
    var random = new Random(seed);
    int most = Math.min(follows, ids.size());
    // Each account once, and once more for each follower.
    var pool = new int[Math.multiplyExact(ids.size(), most + 1)];
    int size = 0;
    try (var out = new PrintWriter(Files.newBufferedWriter(to))) {
      for (int i = 0; i < ids.size(); i++) {
        var chosen = new LinkedHashSet<Integer>();
        while (chosen.size() < Math.min(i, most)) {
          chosen.add(pool[random.nextInt(size)]);
        }
        for (int followee : chosen) {
          out.println(ids.get(i) + " " + ids.get(followee));
          if (random.nextInt(RETURNED) == 0) {
            out.println(ids.get(followee) + " " + ids.get(i));
          }
          pool[size++] = followee;
        }
        pool[size++] = i;
      }
      if (out.checkError()) {
        throw new IllegalStateException("The graph cannot be written to " + to);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The graph cannot be written to " + to, e);
    }
  }

  private static int[] byFollowers(int[][] following) {
    var followers = new int[following.length];
    for (var followees : following) {
      for (int followee : followees) {
        followers[followee]++;
      }
    }
    return IntStream.range(0, following.length)
        .boxed()
        .sorted((a, b) -> Integer.compare(followers[b], followers[a]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Returns the number of accounts. */
  public int size() {
    return ids.size();
  }

  /** Returns the number of edges, repeated ones included. */
  public int edges() {
    return edges;
  }

  /** Returns the id of an account. */
  public String id(int account) {
    return ids.get(account);
  }

  /** Returns the ids of all accounts by their numbers. */
  public List<String> ids() {
    return ids;
  }

  /** Returns the accounts that an account follows. The caller must not change the array. */
  public int[] following(int account) {
    return following[account];
  }

  /** Returns the account of a rank by followers; rank 0 has the most. */
  int popular(int rank) {
    return popular[rank];
  }
}
