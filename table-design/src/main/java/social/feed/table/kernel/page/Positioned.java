package social.feed.table.kernel.page;

/**
 * An item with its place in the list.
 *
 * @param position where to go on after this item: its sort key, which no other item of the list
 *     has, so that inserts and deletes in between move nothing
 * @param item what stands there
 */
public record Positioned<T>(String position, T item) {
  public <U> Positioned<U> with(U other) {
    return new Positioned<>(position, other);
  }
}
