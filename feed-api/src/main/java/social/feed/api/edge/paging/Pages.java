package social.feed.api.edge.paging;

import jakarta.inject.Singleton;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.security.Viewer;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageFiller;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;

/** Makes pages of lists that hide some of what is stored, and the cursors between them. */
@Singleton
public final class Pages {
  private final CursorCodec codec;

  Pages(CursorCodec codec) {
    this.codec = codec;
  }

  /**
   * A list as one caller sees it.
   *
   * @param resource whose list it is; empty where the pattern says it all
   */
  public Listing list(Viewer viewer, AccessPattern pattern, String resource) {
    return new Listing(new CursorScope(viewer.userId(), pattern.id(), resource));
  }

  /** A list, ready to be read. */
  public final class Listing {
    private final CursorScope scope;

    private Listing(CursorScope scope) {
      this.scope = scope;
    }

    /**
     * A page.
     *
     * @param limit how many visible items
     * @param cursor of an earlier page of the same list
     * @param fetch reads stored items
     * @param show leaves out what the caller may not see, and dresses the rest
     * @throws social.feed.api.edge.problem.ProblemException {@code invalid_cursor}
     */
    public <S, V> PageBody<V> page(
        int limit,
        @Nullable String cursor,
        Function<PageRequest, Page<S>> fetch,
        Function<List<Positioned<S>>, List<Positioned<V>>> show) {
      String after = cursor == null ? null : codec.decode(scope, cursor);
      Page<V> page = PageFiller.fill(new PageRequest(limit, after), fetch, show);
      String next = page.next();
      return new PageBody<>(page.items(), next == null ? null : codec.encode(scope, next));
    }
  }
}
