package social.feed.table.kernel.page;

/**
 * An item with its position in the list.
 *
 * @param position the item's sort key, from which the list continues after this item. No other item
 *     of the list has the same one, so inserts and deletes between pages shift nothing
 * @param item the item
 */
public record Positioned<T>(String position, T item) {
  public <U> Positioned<U> with(U other) {
    return new Positioned<>(position, other);
  }
}
