package social.feed.ctl.verify;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import social.feed.table.home.PullRegistry;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/**
 * The pull registry says of each celebrity that its posts are pulled, of nobody else that they are
 * from now on, and reaches over every pulled post. One read unit an account and pulled post; the
 * repair makes the registry follow the flags and the posts.
 */
record RegistryCheck(TableScanner census, Users users, PullRegistry registry, Clock clock)
    implements RowCheck {
  @Override
  public String name() {
    return "pull registry";
  }

  @Override
  public boolean concerns(Row row) {
    return row instanceof User || (row instanceof Post post && post.delivery() == FanOutMode.PULL);
  }

  @Override
  public List<Drift> inspect(List<Row> rows) {
    var there = RelatedRows.at(rows.stream().map(RegistryCheck::entry).toList(), census);
    return rows.stream()
        .filter(row -> !there.isUnreadable(entry(row)))
        .flatMap(row -> drift(row, there.get(entry(row), PulledAuthor.class)).stream())
        .toList();
  }

  private static Key entry(Row row) {
    return PulledAuthor.key(row instanceof Post post ? post.authorId() : ((User) row).userId());
  }

  private Optional<Drift> drift(Row row, Optional<PulledAuthor> entry) {
    return row instanceof Post post ? uncovered(post, entry) : flag((User) row, entry);
  }

  private Optional<Drift> flag(User user, Optional<PulledAuthor> entry) {
    boolean isPulled = entry.filter(author -> author.pullUntil() == null).isPresent();
    if (isPulled == user.isCelebrity()) {
      return Optional.empty();
    }
    var problem =
        "%s is %s celebrity, and the registry says otherwise"
            .formatted(user.key(), user.isCelebrity() ? "a" : "no");
    return Optional.of(new Drift(user.key(), problem, () -> follow(user)));
  }

  /** As the flag is when the row is written: a crossing since then is to come by the stream. */
  private boolean follow(User user) {
    if (users.get(user.userId()).isEmpty()) {
      // Erased meanwhile, with all that is about it.
      return false;
    }
    var now = Timestamps.now(clock);
    registry.change(
        user.userId(),
        now,
        author ->
            users
                .get(user.userId())
                .map(as -> author.corrected(as.isCelebrity(), as.celebrityVersion(), now))
                .orElse(author));
    return true;
  }

  private Optional<Drift> uncovered(Post post, Optional<PulledAuthor> entry) {
    if (entry.filter(author -> author.covering(post.createdAt()).equals(author)).isPresent()) {
      return Optional.empty();
    }
    var problem = post.key() + " is pulled, and the registry does not reach it";
    return Optional.of(new Drift(post.key(), problem, () -> cover(post)));
  }

  private boolean cover(Post post) {
    registry.change(post.authorId(), post.createdAt(), author -> author.covering(post.createdAt()));
    return true;
  }
}
