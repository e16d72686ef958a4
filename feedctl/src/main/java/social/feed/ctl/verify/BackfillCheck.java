package social.feed.ctl.verify;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import social.feed.table.graph.FollowEdges;
import social.feed.table.post.RecentPosts;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Follow;
import social.feed.table.row.Row;

/**
 * A feed was filled up for each follow of somebody whose posts had been pushed: the edge notes how
 * far back. Without the note a backfill was lost, and nobody owes what it was to bring. The repair
 * is the note; what it promises is then missing, and {@link FeedCompleteCheck} brings it in the
 * next round. Where the newest twenty that were to be brought are all pulled, a missing note is no
 * drift: pulled ones are read from the author. A backfill that gave up behind a thousand private
 * posts looks lost once one of these is deleted. One write unit an edge.
 */
record BackfillCheck(AuthorPosts posts, FollowEdges follows) implements RowCheck {
  @Override
  public String name() {
    return "feeds filled up";
  }

  @Override
  public boolean concerns(Row row) {
    return row instanceof Follow;
  }

  @Override
  public List<Drift> inspect(List<Row> rows) {
    return rows.stream()
        .map(Follow.class::cast)
        .filter(edge -> edge.feedSince() == null)
        .flatMap(edge -> reach(edge).map(since -> drift(edge, since)).stream())
        .toList();
  }

  private Drift drift(Follow edge, Instant since) {
    return new Drift(
        edge.key(),
        edge.key() + " was not filled up with earlier posts",
        () -> follows.noteFed(edge, since).isPresent());
  }

  /** To where the feed was to be filled up; nowhere where nothing was pushed before the follow. */
  private Optional<Instant> reach(Follow edge) {
    var before =
        posts.of(edge.followeeId()).stream()
            .filter(post -> post.createdAt().isBefore(edge.createdAt()));
    var recent = RecentPosts.among(before, Follow.NEWEST, edge.createdAt());
    return recent.stream().anyMatch(post -> post.delivery() != FanOutMode.PULL)
        ? Optional.of(recent.getLast().createdAt())
        : Optional.empty();
  }
}
