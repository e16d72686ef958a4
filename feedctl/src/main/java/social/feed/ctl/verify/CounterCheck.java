package social.feed.ctl.verify;

import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import social.feed.table.row.Row;

/**
 * A stored number against a count of what it stands for. One query a row.
 *
 * @param name what is counted
 * @param type the rows that hold the number
 * @param stored reads the number
 * @param counted counts anew
 */
record CounterCheck<R extends Row>(
    String name, Class<R> type, ToLongFunction<R> stored, ToLongFunction<R> counted)
    implements Check {

  @Override
  public boolean concerns(Row row) {
    return type.isInstance(row);
  }

  @Override
  public List<Drift> drifts(List<Row> rows) {
    return rows.stream().map(type::cast).flatMap(this::drift).toList();
  }

  private Stream<Drift> drift(R row) {
    long is = stored.applyAsLong(row);
    long shouldBe = counted.applyAsLong(row);
    return is == shouldBe
        ? Stream.empty()
        : Stream.of(new Drift(row, name + " is " + is + ", counted are " + shouldBe));
  }
}
