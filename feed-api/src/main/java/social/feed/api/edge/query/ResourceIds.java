package social.feed.api.edge.query;

import social.feed.api.edge.security.UserIds;

/**
 * The form of the id of a post, comment or notification in a request. It is wider than the ids that
 * the server creates: no resource has such an id, which is 404 and not 400. A longer id would not
 * fit into a key.
 */
public final class ResourceIds {
  public static final String PATTERN = UserIds.PATTERN;

  private ResourceIds() {}
}
