package social.feed.table.kernel.page;

import org.jspecify.annotations.Nullable;

/**
 * What part of a list is wanted.
 *
 * @param limit how many items, at least 1; each pattern has its maximum
 * @param after position of the last item already seen, absent for the first page
 */
public record PageRequest(int limit, @Nullable String after) {
  public PageRequest {
    if (limit < 1) {
      throw new IllegalArgumentException("A page has at least one item: " + limit);
    }
  }

  public static PageRequest first(int limit) {
    return new PageRequest(limit, null);
  }

  public PageRequest from(String position) {
    return new PageRequest(limit, position);
  }
}
