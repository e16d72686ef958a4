package social.feed.api.query;

/** The form of the ids of posts, comments and notifications. */
public final class ResourceIds {
  /**
   * A version 7 UUID in lower case, of a time before the year 9755, so that its time fits into a
   * key.
   */
  public static final String PATTERN =
      "^[0-9a-d][0-9a-f]{7}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$";

  private ResourceIds() {}
}
