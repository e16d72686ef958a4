package social.feed.table.kernel.declaration;

/** Names of the attributes with a meaning for the table itself. */
public final class BaseTable {
  /** Base partition key, a string. */
  public static final String PK = "PK";

  /** Base sort key, a string. */
  public static final String SK = "SK";

  /** The epoch second, a number, after which TTL may delete an item. */
  public static final String TTL = "expires_at";

  private BaseTable() {}
}
