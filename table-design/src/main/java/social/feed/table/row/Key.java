package social.feed.table.row;

/**
 * The two values that address an item in the table, or place it in an index.
 *
 * @param partition the partition key value
 * @param sort the sort key value
 */
public record Key(String partition, String sort) {
  @Override
  public String toString() {
    return partition + " / " + sort;
  }
}
