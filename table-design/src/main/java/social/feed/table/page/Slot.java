package social.feed.table.page;

/**
 * An item with its place in the list.
 *
 * @param position where to go on after this item: its sort key, which no other item of the list
 *     has, so that inserts and deletes in between move nothing
 * @param item what stands there
 */
public record Slot<T>(String position, T item) {
  public <U> Slot<U> with(U other) {
    return new Slot<>(position, other);
  }
}
