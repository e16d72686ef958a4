package social.feed.verify;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import social.feed.table.kernel.store.TableScanner;

/** Compares some items of the table with the rows that must agree with them. */
interface Check {
  /** Returns the name in the table of results. */
  String name();

  /** Returns whether the check starts from an item. */
  boolean concerns(TableScanner.Item item);

  /** Returns the drift around some items, all of which {@link #concerns} this check. */
  List<Drift> drifts(List<TableScanner.Item> items);

  /** Returns a check that needs no other item than the one it starts from. */
  static <I extends TableScanner.Item> Check ofItem(
      String name, Class<I> type, Function<I, Optional<Drift>> drift) {
    return new Check() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public boolean concerns(TableScanner.Item item) {
        return type.isInstance(item);
      }

      @Override
      public List<Drift> drifts(List<TableScanner.Item> items) {
        return items.stream().flatMap(item -> drift.apply(type.cast(item)).stream()).toList();
      }
    };
  }
}
