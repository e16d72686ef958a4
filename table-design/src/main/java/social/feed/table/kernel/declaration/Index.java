package social.feed.table.kernel.declaration;

/** The global secondary indexes by name; the wire format that others query. */
public enum Index {
  POSTS_BY_AUTHOR(
      "GSI1",
      "PostsByAuthor: an author's posts; the likes of a post by time; authors and tags by rank"),
  POSTS_BY_TAG("GSI2", "PostsByTag: the public posts of a tag"),
  FEED_BY_USER("GSI3", "FeedByUser: a reader's home feed"),
  FOLLOWERS("GSI_FOL", "Followers: who follows an account, by time"),
  FOLLOWING("GSI_FOLLOWING", "Following: whom an account follows, by time"),
  UNREAD("GSI_NOTIF", "Unread: the unread notifications of a user");

  private final String indexName;
  private final String purpose;

  Index(String indexName, String purpose) {
    this.indexName = indexName;
    this.purpose = purpose;
  }

  /** The name in DynamoDB. */
  public String indexName() {
    return indexName;
  }

  /** What it finds, in a line. */
  public String purpose() {
    return purpose;
  }

  /** Name of the attribute that partitions it. */
  public String partitionKey() {
    return indexName + "PK";
  }

  /** Name of the attribute that sorts it. */
  public String sortKey() {
    return indexName + "SK";
  }
}
