package social.feed.table.kernel.declaration;

/** Names of the attributes that the table itself gives a meaning to. */
public final class BaseTable {
  /** Base partition key, a string. */
  public static final String PK = "PK";

  /** Base sort key, a string. */
  public static final String SK = "SK";

  /** The epoch second, a number, after which an item is expired. */
  public static final String TTL = "expires_at";

  private BaseTable() {}
}
