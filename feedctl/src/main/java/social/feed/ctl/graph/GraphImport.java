package social.feed.ctl.graph;

import static java.util.stream.Collectors.toList;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import social.feed.table.graph.FollowCapException;
import social.feed.table.graph.FollowWrites;
import social.feed.table.row.Follow;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.store.Adoption;
import social.feed.table.store.Table;
import social.feed.table.time.Timestamps;
import social.feed.table.user.Users;

/**
 * Loads a follower graph through the stores. Everything is written on condition that it is new,
 * edges together with the follower's quota, so a run that was stopped is simply run again. Edges
 * are held for a hundred thousand lines at a time.
 */
public final class GraphImport {
  private static final int LINES_AT_ONCE = 100_000;
  private static final int GROUPS_AT_ONCE = 1_000;
  private static final int FEED_SHARDS = 4;

  private final Table table;
  private final Clock clock;
  private final ImportProgress progress;

  public GraphImport(Table table, Clock clock, ImportProgress progress) {
    this.table = table;
    this.clock = clock;
    this.progress = progress;
  }

  /**
   * Imports a file.
   *
   * @param drain returns when the stream has caught up: with the edges worked off before the posts
   *     come, each post is delivered once by its own fan-out, and no edge has anything to fill up
   * @param posts how many posts each account gets, 0 for none
   * @param cap the most accounts that one user may follow
   */
  public ImportResult run(EdgeFile file, Runnable drain, int posts, long cap) {
    var survey = GraphSurvey.of(file);
    var rows = new ImportedRows(times(survey.accounts()), FEED_SHARDS);
    var result = new ImportResult.Builder(survey);
    accounts(survey, rows, result);
    edges(file, survey, rows, new FollowWrites(table, cap), result);
    if (posts > 0) {
      drain.run();
      posts(survey, rows, posts, result);
    }
    drain.run();
    return result.build();
  }

  /** A second run goes by the time of the accounts that the first one made. */
  private ImportedTimes times(Collection<String> accounts) {
    var users = new Users(table);
    return chunks(accounts, Adoption.MAX_ROWS).stream()
        .flatMap(ids -> users.getAll(ids).values().stream())
        .map(User::createdAt)
        .min(Instant::compareTo)
        .map(found -> ImportedTimes.startingAt(found, Timestamps.now(clock)))
        .orElseGet(() -> ImportedTimes.endingBefore(Timestamps.now(clock)));
  }

  private void accounts(GraphSurvey survey, ImportedRows rows, ImportResult.Builder result) {
    var adoption = new Adoption(table);
    try (var step = progress.step("accounts", survey.accounts().size())) {
      for (var ids : chunks(survey.accounts(), Adoption.MAX_ROWS / 2)) {
        result.accounts += adoption.adopt(ids.stream().map(rows::account).toList()).size();
        step.advance(ids.size());
      }
    }
  }

  private void edges(
      EdgeFile file,
      GraphSurvey survey,
      ImportedRows rows,
      FollowWrites writes,
      ImportResult.Builder result) {
    try (var step = progress.step("edges", survey.edges());
        var lines = file.lines()) {
      var edges =
          lines
              .filter(EdgeFile.Line.Edge.class::isInstance)
              .map(EdgeFile.Line.Edge.class::cast)
              .iterator();
      long place = 0;
      while (edges.hasNext()) {
        for (var batch : EdgeBatches.of(take(edges, rows, place))) {
          adopt(writes, batch, result);
          step.advance(batch.size());
        }
        place += LINES_AT_ONCE;
      }
    }
  }

  /** The next edges by their follower and followee; a repeat in the file is the same edge. */
  private static Map<String, Map<String, Follow>> take(
      Iterator<EdgeFile.Line.Edge> edges, ImportedRows rows, long place) {
    var byFollower = new LinkedHashMap<String, Map<String, Follow>>();
    for (int taken = 0; taken < LINES_AT_ONCE && edges.hasNext(); taken++) {
      var edge = edges.next();
      byFollower
          .computeIfAbsent(edge.follower(), _ -> new LinkedHashMap<>())
          .putIfAbsent(edge.followee(), rows.edge(edge.follower(), edge.followee(), place + taken));
    }
    return byFollower;
  }

  /** One follower beyond the cap does not keep the others of a batch out. */
  private static void adopt(FollowWrites writes, List<Follow> edges, ImportResult.Builder result) {
    try {
      result.edges += writes.adopt(edges);
    } catch (FollowCapException e) {
      var byFollower =
          edges.stream()
              .collect(Collectors.groupingBy(Follow::followerId, LinkedHashMap::new, toList()));
      if (byFollower.size() == 1) {
        result.refused.add(e.getMessage());
      } else {
        byFollower.values().forEach(ofFollower -> adopt(writes, ofFollower, result));
      }
    }
  }

  private void posts(
      GraphSurvey survey, ImportedRows rows, int posts, ImportResult.Builder result) {
    var adoption = new Adoption(table);
    try (var step = progress.step("posts", (long) survey.accounts().size() * posts)) {
      for (var ids : chunks(survey.accounts(), Math.max(1, GROUPS_AT_ONCE / posts))) {
        List<List<Row>> groups = new ArrayList<>();
        for (var id : ids) {
          for (int number = 0; number < posts; number++) {
            groups.add(List.of(rows.post(id, number, posts)));
          }
        }
        result.posts += adoption.adopt(groups).size();
        step.advance(groups.size());
      }
    }
  }

  private static <T> List<List<T>> chunks(Collection<T> all, int size) {
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
