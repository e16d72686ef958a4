package social.feed.api.edge.query;

/**
 * What may stand where the id of a post, comment or notification is wanted. Wider than what we hand
 * out: there is nothing under any other, which is 404 and not 400; but it is never more than a key
 * can hold.
 */
public final class ResourceIds {
  public static final String PATTERN = "^[A-Za-z0-9_-]{1,64}$";

  private ResourceIds() {}
}
