package social.feed.table.kernel.page;

import org.jspecify.annotations.Nullable;

/**
 * The part of a list that a caller requests.
 *
 * @param limit maximum number of items, at least 1; each pattern has its own maximum
 * @param after position of the last item already seen, absent for the first page
 */
public record PageRequest(int limit, @Nullable String after) {
  public PageRequest {
    if (limit < 1) {
      throw new IllegalArgumentException("The limit of a page must be at least 1, but is " + limit);
    }
  }

  public static PageRequest first(int limit) {
    return new PageRequest(limit, null);
  }

  public PageRequest from(String position) {
    return new PageRequest(limit, position);
  }
}
