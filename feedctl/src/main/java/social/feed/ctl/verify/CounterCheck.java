package social.feed.ctl.verify;

import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import social.feed.table.row.Row;

/**
 * A stored number against a count of what it stands for. One query a row.
 *
 * @param name the attribute with the number
 * @param type the rows that hold it
 * @param stored reads the number
 * @param counted counts anew
 * @param repair sets it to what was counted
 */
record CounterCheck<R extends Row>(
    String name,
    Class<R> type,
    ToLongFunction<R> stored,
    ToLongFunction<R> counted,
    Recount<R> repair)
    implements RowCheck {

  /** Sets a number, see {@link CounterRepair}. */
  @FunctionalInterface
  interface Recount<R extends Row> {
    boolean settle(R read, long counted);
  }

  @Override
  public boolean concerns(Row row) {
    return type.isInstance(row);
  }

  @Override
  public List<Drift> inspect(List<Row> rows) {
    return rows.stream().map(type::cast).flatMap(this::drift).toList();
  }

  private Stream<Drift> drift(R row) {
    long is = stored.applyAsLong(row);
    long shouldBe = counted.applyAsLong(row);
    return is == shouldBe
        ? Stream.empty()
        : Stream.of(
            new Drift(
                row.key(),
                row.key() + ": " + name + " is " + is + ", counted are " + shouldBe,
                () -> repair.settle(row, shouldBe)));
  }
}
