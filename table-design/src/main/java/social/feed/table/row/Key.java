package social.feed.table.row;

/**
 * The partition and sort key values of an item, in the table or in an index.
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
