package social.feed.ctl.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import social.feed.table.counter.CounterRecounts;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Keys;
import social.feed.table.row.Row;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;

/**
 * The followers that an account gained in a month are the edges that began in it. For each row of a
 * month the edges are counted through their index; of each account it is asked in which months it
 * has edges, one query a month, and whether there is a row. The index may be behind, so they are
 * counted once more before a repair, which sets the number, or writes the row with the marks of the
 * account, which cover the same edges.
 */
record FollowersGainedCheck(TableScanner census, CounterRecounts recounts) implements RowCheck {
  @Override
  public String name() {
    return "followers gained";
  }

  @Override
  public boolean concerns(Row row) {
    return row instanceof User || row instanceof TopAuthor;
  }

  /** A month in which somebody began to follow an account. */
  private record Month(User user, TopAuthor empty) {}

  @Override
  public List<Drift> inspect(List<Row> rows) {
    var drifts = new ArrayList<Drift>();
    var months = new ArrayList<Month>();
    for (var row : rows) {
      switch (row) {
        case TopAuthor author -> wrong(author).ifPresent(drifts::add);
        case User user -> months.addAll(months(user));
        default -> throw new IllegalArgumentException("Does not concern " + row.key());
      }
    }
    var there = RelatedRows.at(months.stream().map(month -> month.empty.key()).toList(), census);
    months.stream()
        .filter(month -> !there.has(month.empty.key()))
        .forEach(month -> missing(month).ifPresent(drifts::add));
    return drifts;
  }

  private List<Month> months(User user) {
    return census.beginnings(Index.FOLLOWERS, Keys.followee(user.userId()), Keys.MONTH).stream()
        .map(month -> new Month(user, TopAuthor.empty(month, user.userId(), user.marks())))
        .toList();
  }

  private long counted(TopAuthor author) {
    return census.count(Index.FOLLOWERS, Keys.followee(author.userId()), author.month());
  }

  private Optional<Drift> wrong(TopAuthor author) {
    long counted = counted(author);
    var problem =
        "%s: gained is %d, counted are %d".formatted(author.key(), author.gained(), counted);
    return counted == author.gained()
        ? Optional.empty()
        : Optional.of(
            new Drift(
                author.key(),
                problem,
                () ->
                    counted(author) == counted
                        && recounts.setRanked(
                            List.of(author), TopAuthor.GAINED, counted - author.gained())));
  }

  private Optional<Drift> missing(Month month) {
    long counted = counted(month.empty);
    var problem =
        "%s gained %d followers in %s, and no row says so"
            .formatted(month.user.key(), counted, month.empty.month());
    return counted == 0
        ? Optional.empty()
        : Optional.of(
            new Drift(
                month.user.key(),
                problem,
                () ->
                    counted(month.empty) == counted
                        && recounts.setRanked(List.of(month.empty), TopAuthor.GAINED, counted)));
  }
}
