package social.feed.table.kernel.declaration;

/** The global secondary indexes. Their names are part of the wire format. */
public enum Index {
  POSTS_BY_AUTHOR(
      "GSI1",
      "PostsByAuthor: an author's posts; the likes of a post by time; authors and tags by rank"),
  POSTS_BY_TAG(
      "GSI2",
      "PostsByTag: the public posts of a tag; the likes and the comments of an account by time"),
  FEED_BY_USER("GSI3", "FeedByUser: a reader's home feed"),
  FOLLOWERS("GSI_FOL", "Followers: the followers of an account, by time"),
  FOLLOWING("GSI_FOLLOWING", "Following: the accounts that an account follows, by time"),
  UNREAD("GSI_NOTIF", "Unread: the unread notifications of a user");

  private final String indexName;
  private final String purpose;

  Index(String indexName, String purpose) {
    this.indexName = indexName;
    this.purpose = purpose;
  }

  /** Returns the name in DynamoDB. */
  public String indexName() {
    return indexName;
  }

  /** Returns one line about the items that the index finds. */
  public String purpose() {
    return purpose;
  }

  /** Returns the name of the partition key attribute. */
  public String partitionKey() {
    return indexName + "PK";
  }

  /** Returns the name of the sort key attribute. */
  public String sortKey() {
    return indexName + "SK";
  }
}
