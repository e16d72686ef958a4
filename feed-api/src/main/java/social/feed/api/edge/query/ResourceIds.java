package social.feed.api.edge.query;

/**
 * The form of the id of a post, comment or notification in a request. It is wider than the ids that
 * the server creates: no resource has such an id, which is 404 and not 400. A longer id would not
 * fit into a key.
 */
public final class ResourceIds {
  public static final String PATTERN = "^[A-Za-z0-9_-]{1,64}$";

  private ResourceIds() {}
}
