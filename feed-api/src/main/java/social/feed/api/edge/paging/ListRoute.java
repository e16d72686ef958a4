package social.feed.api.edge.paging;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.page.GroupedPager;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageFiller;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;

/**
 * A list as one caller sees it. Every list route names the same four steps in the same order:
 *
 * <ol>
 *   <li>{@code skeleton} reads a page of references from an index.
 *   <li>{@code hydrate} reads what the rules and the bodies need, in batch calls and none in a
 *       loop. Each batch covers only the references that the batches before did not rule out, so
 *       hidden items cost nothing.
 *   <li>{@code filter} keeps the references that the caller may see: not blocked, muted, deleted or
 *       invisible.
 *   <li>{@code present} makes the body of a reference from the hydrated state.
 * </ol>
 *
 * <p>The steps run again on the next references until the page is full. A route whose references
 * need no second or third step says so: {@code complete}, {@code unfiltered}.
 */
public final class ListRoute {
  private final CursorCodec codec;
  private final CursorScope scope;

  ListRoute(CursorCodec codec, CursorScope scope) {
    this.codec = codec;
    this.scope = scope;
  }

  /** The first step: reads references. */
  public <R> Skeleton<R> skeleton(Function<PageRequest, Page<R>> read) {
    return new Skeleton<>(this, read, new Filling.Usual());
  }

  /**
   * The first step of a list that shows few of its references. A page examines at most {@value
   * PageFiller#MAX_EXAMINED_SPARSE} of them. After that it may be short, and has a cursor.
   */
  public <R> Skeleton<R> sparse(Function<PageRequest, Page<R>> read) {
    return new Skeleton<>(this, read, new Filling.Sparse());
  }

  /**
   * The first step of a list that shows most of its references, but may hide many in a row. It
   * reads no more than a page needs where nothing is hidden, and as {@link #sparse} examines at
   * most {@value PageFiller#MAX_EXAMINED_SPARSE} references.
   *
   * @param mayGoOn is asked before each further read; without one a page may be short as well
   */
  public <R> Skeleton<R> bounded(Function<PageRequest, Page<R>> read, BooleanSupplier mayGoOn) {
    return new Skeleton<>(this, read, new Filling.Bounded(mayGoOn));
  }

  /** How the pages of a list are filled. */
  public sealed interface Filling {
    /** As {@link PageFiller#fill} does. */
    record Usual() implements Filling {}

    /** As {@link PageFiller#fillSparse} does. */
    record Sparse() implements Filling {}

    /** As {@link PageFiller#fillBounded} does. */
    record Bounded(BooleanSupplier mayGoOn) implements Filling {}
  }

  /** The first step of a list that is read as a whole. */
  public <R> Skeleton<R> skeleton(List<R> whole) {
    return skeleton(request -> part(whole, request));
  }

  /** The position of an item is its place in the list. */
  private static <R> Page<R> part(List<R> whole, PageRequest request) {
    @Nullable String after = request.after();
    int from = after == null ? 0 : Integer.parseInt(after);
    int to = Math.min(whole.size(), from + request.limit());
    List<Positioned<R>> slots = new ArrayList<>();
    for (int place = from; place < to; place++) {
      slots.add(new Positioned<>(Integer.toString(place + 1), whole.get(place)));
    }
    return new Page<>(slots, to == whole.size() ? null : Integer.toString(to));
  }

  /** A list with its first step. */
  public record Skeleton<R>(ListRoute list, Function<PageRequest, Page<R>> read, Filling filling) {
    private <V> Page<V> fill(
        PageRequest request, Function<List<Positioned<R>>, List<Positioned<V>>> visible) {
      return switch (filling) {
        case Filling.Usual() -> PageFiller.fill(request, read, visible);
        case Filling.Sparse() -> PageFiller.fillSparse(request, read, visible);
        case Filling.Bounded(var mayGoOn) ->
            PageFiller.fillBounded(request, read, visible, mayGoOn);
      };
    }

    /** The second step: reads what the next two need. */
    public <H> Hydrated<R, H> hydrate(Function<List<R>, H> batch) {
      return new Hydrated<>(this, batch);
    }

    /** Replaces the second step where the references contain everything. */
    public Hydrated<R, List<R>> complete() {
      return hydrate(references -> references);
    }
  }

  /** A list with its first two steps. */
  public record Hydrated<R, H>(Skeleton<R> skeleton, Function<List<R>, H> batch) {
    /** The third step: decides whether the caller may see a reference. */
    public Filtered<R, H> filter(BiPredicate<H, R> rule) {
      return new Filtered<>(this, rule);
    }

    /** Replaces the third step where each caller may see every reference. */
    public Filtered<R, H> unfiltered() {
      return filter((_, _) -> true);
    }
  }

  /** A list with its first three steps. */
  public record Filtered<R, H>(Hydrated<R, H> hydrated, BiPredicate<H, R> rule) {
    /** The fourth step: makes the body of a reference. */
    public <B> Presented<R, H, B> present(BiFunction<H, R, B> body) {
      return new Presented<>(this, body);
    }

    /**
     * Groups the references that the caller may see. The groups are the references of a new list,
     * with steps of its own: what is hidden joins no group.
     */
    public Skeleton<List<R>> grouped(GroupedPager.Rule<R> groups) {
      Skeleton<R> skeleton = hydrated.skeleton();
      return skeleton
          .list()
          .skeleton(
              request ->
                  GroupedPager.page(
                      request,
                      skeleton.read(),
                      slots -> visible(slots, (_, item) -> item),
                      groups));
    }

    private <V> List<Positioned<V>> visible(
        List<Positioned<R>> references, BiFunction<H, R, V> view) {
      H state = hydrated.batch().apply(references.stream().map(Positioned::item).toList());
      return references.stream()
          .filter(reference -> rule.test(state, reference.item()))
          .map(reference -> reference.with(view.apply(state, reference.item())))
          .toList();
    }
  }

  /** A list with all four steps. */
  public record Presented<R, H, B>(Filtered<R, H> filtered, BiFunction<H, R, B> body) {
    private static final int MIN_PART = 25;

    /**
     * Returns a page of the list.
     *
     * @throws social.feed.api.edge.problem.ProblemException {@code invalid_cursor}
     */
    public PageBody<B> page(PageParameters page) {
      return skeleton().list().page(page, request -> skeleton().fill(request, this::bodies));
    }

    /** Returns the first items of a list that has no pages. */
    public PageBody<B> first(int limit) {
      List<B> items = new ArrayList<>();
      int part = limit;
      @Nullable String position = null;
      do {
        Page<R> read = skeleton().read().apply(new PageRequest(part, position));
        bodies(read.slots()).stream().map(Positioned::item).forEach(items::add);
        position = read.next();
        // Where many are hidden, single items would be hydrated one after the other.
        part = Math.max(limit - items.size(), MIN_PART);
      } while (position != null && items.size() < limit);
      return new PageBody<>(items.subList(0, Math.min(limit, items.size())), null);
    }

    private Skeleton<R> skeleton() {
      return filtered.hydrated().skeleton();
    }

    private List<Positioned<B>> bodies(List<Positioned<R>> references) {
      return filtered.visible(references, body);
    }
  }

  private <B> PageBody<B> page(PageParameters parameters, Function<PageRequest, Page<B>> read) {
    String cursor = parameters.cursor();
    String after = cursor == null ? null : codec.decode(scope, cursor);
    Page<B> page = read.apply(new PageRequest(parameters.limit(), after));
    String next = page.next();
    return new PageBody<>(page.items(), next == null ? null : codec.encode(scope, next));
  }
}
