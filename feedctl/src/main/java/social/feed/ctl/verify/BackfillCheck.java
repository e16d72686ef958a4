package social.feed.ctl.verify;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import social.feed.table.graph.Follows;
import social.feed.table.row.Follow;
import social.feed.table.row.PostRef;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;

/**
 * A feed was filled up for each follow of somebody who had posts: the edge notes how far back.
 * Without the note a backfill was lost, and nobody owes what it was to bring. The repair is the
 * note; what it promises is then missing, and {@link FeedCompleteCheck} brings it in the next
 * round. One write unit an edge.
 */
record BackfillCheck(AuthorPosts posts, Follows follows) implements RowCheck {
  /** What a new follower gets where nothing else is set. */
  private static final int NEWEST = 20;

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
        edge.key() + " was not filled up with the posts of before",
        () -> follows.noteFed(edge, since).isPresent());
  }

  /** To where the feed was to be filled up; nowhere where there was nothing before the follow. */
  private Optional<Instant> reach(Follow edge) {
    return posts.of(edge.followeeId()).stream()
        .filter(post -> post.visibility() != Visibility.PRIVATE)
        .map(PostRef::createdAt)
        .limit(NEWEST)
        .min(Instant::compareTo)
        .filter(oldest -> oldest.isBefore(edge.createdAt()));
  }
}
