package social.feed.verify;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Key;
import social.feed.table.row.Row;

/**
 * A rule about derived data: something is expected because a source row exists, and the rows that
 * are stored must agree with it. A check consists of one rule or more.
 *
 * @param <S> the kind of the source row
 * @param <E> an expectation, such as a row that must exist
 * @param source the kind of row from which the rule starts
 * @param where selects the rows of that kind to which the rule applies
 * @param expected returns the expectations of a source row; the default is the source row itself
 * @param actual returns the keys of the stored rows that an expectation is compared with, one read
 *     unit each
 * @param further returns keys that are read only where the rows at the first ones require it, one
 *     read unit each
 * @param difference compares an expectation with these rows
 */
record DerivedRows<S extends Row, E>(
    Class<S> source,
    Predicate<S> where,
    Function<S, Stream<E>> expected,
    Function<E, Stream<Key>> actual,
    BiFunction<E, RelatedRows, Stream<Key>> further,
    Difference<S, E> difference) {

  /** Compares an expectation with the stored rows. Describes a difference, and how to repair it. */
  @FunctionalInterface
  interface Difference<S, E> {
    Optional<Drift> between(S source, E expected, RelatedRows actual);
  }

  /** Returns a rule that starts from all rows of a kind. */
  static <S extends Row> DerivedRows<S, S> of(Class<S> source) {
    return of(source, _ -> true);
  }

  /** Returns a rule that starts from some rows of a kind. */
  static <S extends Row> DerivedRows<S, S> of(Class<S> source, Predicate<S> where) {
    return new DerivedRows<>(
        source,
        where,
        Stream::of,
        _ -> Stream.empty(),
        (_, _) -> Stream.empty(),
        (_, _, _) -> Optional.empty());
  }

  <T> DerivedRows<S, T> expected(Function<S, Stream<T>> derive) {
    return new DerivedRows<>(
        source,
        where,
        derive,
        _ -> Stream.empty(),
        (_, _) -> Stream.empty(),
        (_, _, _) -> Optional.empty());
  }

  DerivedRows<S, E> actual(Function<E, Stream<Key>> keys) {
    return new DerivedRows<>(source, where, expected, keys, further, difference);
  }

  DerivedRows<S, E> further(BiFunction<E, RelatedRows, Stream<Key>> keys) {
    return new DerivedRows<>(source, where, expected, actual, keys, difference);
  }

  DerivedRows<S, E> difference(Difference<S, E> compare) {
    return new DerivedRows<>(source, where, expected, actual, further, compare);
  }

  /** Returns a check of some rules, which reads the related rows of all of them together. */
  static Check check(String name, TableScanner scanner, DerivedRows<?, ?>... rules) {
    return new Rules(name, scanner, List.of(rules));
  }

  private boolean concerns(Row row) {
    return source.isInstance(row) && where.test(source.cast(row));
  }

  private Stream<Expectation<S, E>> expectations(Row row) {
    return concerns(row)
        ? expected.apply(source.cast(row)).map(each -> new Expectation<>(this, row, each))
        : Stream.empty();
  }

  private record Expectation<S extends Row, E>(DerivedRows<S, E> rule, Row source, E expected) {
    private Stream<Key> keys() {
      return rule.actual.apply(expected);
    }

    private Stream<Key> furtherKeys(RelatedRows there) {
      return rule.further.apply(expected, there);
    }

    private Optional<Drift> drift(RelatedRows there) {
      return rule.difference.between(rule.source.cast(source), expected, there);
    }
  }

  private record Rules(String name, TableScanner scanner, List<DerivedRows<?, ?>> rules)
      implements RowCheck {
    @Override
    public boolean concerns(Row row) {
      return rules.stream().anyMatch(rule -> rule.concerns(row));
    }

    @Override
    public List<Drift> inspect(List<Row> rows) {
      var expectations = rows.stream().flatMap(this::expectations).toList();
      var there =
          RelatedRows.at(expectations.stream().flatMap(Expectation::keys).toList(), scanner);
      there.add(expectations.stream().flatMap(each -> each.furtherKeys(there)).toList(), scanner);
      return expectations.stream().flatMap(each -> each.drift(there).stream()).toList();
    }

    private Stream<Expectation<?, ?>> expectations(Row row) {
      return rules.stream().flatMap(rule -> rule.expectations(row));
    }
  }
}
