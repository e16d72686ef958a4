package social.feed.ctl.graph;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import social.feed.table.kernel.store.BulkInsert;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Follow;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/**
 * Loads a follower graph through the stores. Every write has the condition that the row is new, and
 * edges are written together with the follower's quota. Therefore an interrupted run can be
 * repeated. Keeps the edges of a hundred thousand lines in memory at a time.
 */
public final class GraphImport {
  /** The most imported posts of an account. */
  public static final int MAX_POSTS = 1_000;

  /** Concurrent transactions: while the engine writes one, the next ones are prepared and read. */
  static final int AT_ONCE = 4;

  private static final int LINES_AT_ONCE = 100_000;

  private final Table table;
  private final Clock clock;
  private final ImportProgress progress;

  /** Creates the edge of a line of the file. */
  @FunctionalInterface
  private interface Edges {
    Follow at(String follower, String followee, long line);
  }

  public GraphImport(Table table, Clock clock, ImportProgress progress) {
    this.table = table;
    this.clock = clock;
    this.progress = progress;
  }

  /**
   * Imports a file.
   *
   * @param drain returns when the stream has caught up. The edges are processed before the posts
   *     are written, so that its own fan-out delivers each post once and no edge needs a backfill
   * @param posts the number of imported posts that each account has afterwards, 0 to {@value
   *     #MAX_POSTS}; an account that registered less than 23 hours ago gets none
   * @param cap the most accounts that one user may follow
   */
  public ImportResult run(EdgeFile file, Runnable drain, int posts, long cap) {
    var survey = GraphSurvey.of(file);
    var rows = new ImportedRows(times(survey.accounts()), Post.FEED_SHARDS);
    var result = new ImportResult.Builder(survey);
    var accountStep = new AccountStep(table, rows, result);
    var accounts = accounts(survey, accountStep);
    Edges edges =
        (follower, followee, line) ->
            rows.edge(follower, followee, line, accountStep.registered(follower));
    edges(file, edges, accounts, new EdgeStep(table, cap), result);
    if (posts > 0) {
      drain.run();
      try (var step = progress.step("posts", (long) accounts.size() * posts)) {
        new PostStep(table, rows, clock, result).insert(accounts, posts, step);
      }
    }
    drain.run();
    return result.build();
  }

  /** Returns the times of the import; a later run continues from the accounts of the first. */
  private ImportedTimes times(Collection<String> accounts) {
    var users = new Users(table);
    // The accounts of a part are not kept: there may be millions.
    return ParallelCalls.mapUntilFailure(
            chunks(accounts, BulkInsert.MAX_ROWS),
            AT_ONCE,
            part -> oldest(users.getAll(part).values()))
        .stream()
        .flatMap(Optional::stream)
        .min(Instant::compareTo)
        .map(found -> ImportedTimes.startingAt(found, Timestamps.now(clock)))
        .orElseGet(() -> ImportedTimes.endingBefore(Timestamps.now(clock)));
  }

  private static Optional<Instant> oldest(Collection<User> accounts) {
    return accounts.stream().map(User::createdAt).min(Instant::compareTo);
  }

  /** Creates the accounts and returns the ids that have one afterwards. */
  private Set<String> accounts(GraphSurvey survey, AccountStep accounts) {
    try (var step = progress.step("accounts", survey.accounts().size())) {
      accounts.insert(chunks(survey.accounts(), BulkInsert.MAX_ROWS / 2), step);
    }
    return accounts.withAccount(survey.accounts());
  }

  private void edges(
      EdgeFile file,
      Edges rows,
      Set<String> accounts,
      EdgeStep writes,
      ImportResult.Builder result) {
    try (var step = progress.step("edges", result.survey.edges());
        var lines = file.lines()) {
      var edges =
          lines
              .filter(EdgeFile.Line.Edge.class::isInstance)
              .map(EdgeFile.Line.Edge.class::cast)
              .iterator();
      long line = 0;
      while (edges.hasNext()) {
        var byFollower = take(edges, rows, line);
        byFollower.keySet().retainAll(accounts);
        byFollower.values().forEach(ofFollower -> ofFollower.keySet().retainAll(accounts));
        byFollower.values().removeIf(Map::isEmpty);
        result.edges += writes.insert(byFollower, step);
        line += LINES_AT_ONCE;
      }
    }
    result.refused.addAll(writes.refused());
  }

  /** Returns the next edges by follower and followee; a repeated line is the same edge. */
  private static Map<String, Map<String, Follow>> take(
      Iterator<EdgeFile.Line.Edge> edges, Edges rows, long line) {
    var byFollower = new LinkedHashMap<String, Map<String, Follow>>();
    for (int taken = 0; taken < LINES_AT_ONCE && edges.hasNext(); taken++) {
      var edge = edges.next();
      byFollower
          .computeIfAbsent(edge.follower(), _ -> new LinkedHashMap<>())
          .putIfAbsent(edge.followee(), rows.at(edge.follower(), edge.followee(), line + taken));
    }
    return byFollower;
  }

  static <T> List<List<T>> chunks(Collection<T> all, int size) {
    var chunks = new ArrayList<List<T>>();
    var chunk = new ArrayList<T>(size);
    for (var item : all) {
      chunk.add(item);
      if (chunk.size() == size) {
        chunks.add(List.copyOf(chunk));
        chunk.clear();
      }
    }
    if (!chunk.isEmpty()) {
      chunks.add(List.copyOf(chunk));
    }
    return chunks;
  }
}
