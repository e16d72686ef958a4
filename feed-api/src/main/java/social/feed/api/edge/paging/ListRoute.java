package social.feed.api.edge.paging;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
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
 * <p>The steps run again on the next references until the page is full.
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
    return new Skeleton<>(this, read);
  }

  /** A list with its first step. */
  public record Skeleton<R>(ListRoute list, Function<PageRequest, Page<R>> read) {
    /** The second step: reads what the next two need. */
    public <H> Hydrated<R, H> hydrate(Function<List<R>, H> batch) {
      return new Hydrated<>(this, batch);
    }
  }

  /** A list with its first two steps. */
  public record Hydrated<R, H>(Skeleton<R> skeleton, Function<List<R>, H> batch) {
    /** The third step: decides whether the caller may see a reference. */
    public Filtered<R, H> filter(BiPredicate<H, R> rule) {
      return new Filtered<>(this, rule);
    }
  }

  /** A list with its first three steps. */
  public record Filtered<R, H>(Hydrated<R, H> hydrated, BiPredicate<H, R> rule) {
    /** The fourth step: makes the body of a reference. */
    public <B> Presented<R, H, B> present(BiFunction<H, R, B> body) {
      return new Presented<>(this, body);
    }
  }

  /** A list with all four steps. */
  public record Presented<R, H, B>(Filtered<R, H> filtered, BiFunction<H, R, B> body) {
    /**
     * Returns a page of the list.
     *
     * @throws social.feed.api.edge.problem.ProblemException {@code invalid_cursor}
     */
    public PageBody<B> page(PageParameters page) {
      Skeleton<R> skeleton = filtered.hydrated().skeleton();
      return skeleton.list().page(page, skeleton.read(), this::visible);
    }

    private List<Positioned<B>> visible(List<Positioned<R>> references) {
      H hydrated =
          filtered.hydrated().batch().apply(references.stream().map(Positioned::item).toList());
      return references.stream()
          .filter(reference -> filtered.rule().test(hydrated, reference.item()))
          .map(reference -> reference.with(body.apply(hydrated, reference.item())))
          .toList();
    }
  }

  private <R, B> PageBody<B> page(
      PageParameters parameters,
      Function<PageRequest, Page<R>> read,
      Function<List<Positioned<R>>, List<Positioned<B>>> visible) {
    String cursor = parameters.cursor();
    String after = cursor == null ? null : codec.decode(scope, cursor);
    Page<B> page = PageFiller.fill(new PageRequest(parameters.limit(), after), read, visible);
    String next = page.next();
    return new PageBody<>(page.items(), next == null ? null : codec.encode(scope, next));
  }
}
