package social.feed.local.index;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import social.feed.search.EntryKind;
import social.feed.search.SearchIndex;
import social.feed.streams.index.TableIndex;
import social.feed.table.kernel.store.Table;

/**
 * Lets commands compare and correct the search index, which only this process has open. No request
 * can write anything but what the table has. On the local platform only.
 */
@Controller("/v1/dev/search/{kind}")
@Secured(SecurityRule.IS_ANONYMOUS)
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@ExecuteOn(TaskExecutors.BLOCKING)
final class IndexController {
  private final @Nullable TableIndex index;

  IndexController(Table table, @Nullable SearchIndex index) {
    this.index = index == null ? null : new TableIndex(table, index);
  }

  /** Returns a page of the entries. */
  @Get("/states")
  HttpResponse<String> page(
      @PathVariable EntryKind kind,
      @QueryValue(defaultValue = "") String after,
      @QueryValue int limit) {
    return answer(there -> new IndexWire.States(there.statesAfter(kind, after, limit)));
  }

  /** Returns the states at some ids. */
  @Post("/states")
  HttpResponse<String> states(@PathVariable EntryKind kind, @Body String ids) {
    return answer(there -> new IndexWire.States(there.states(kind, ids(ids).items())));
  }

  /** Corrects the entries at some ids. */
  @Post("/alignment")
  HttpResponse<String> align(@PathVariable EntryKind kind, @Body String ids) {
    return answer(there -> there.align(kind, ids(ids).items()));
  }

  /** Returns posts of an author. */
  @Get("/of/{author}")
  HttpResponse<String> of(@PathVariable EntryKind kind, @PathVariable String author) {
    return kind == EntryKind.POST
        ? answer(there -> new IndexWire.Ids(there.postsOf(author)))
        : HttpResponse.notFound();
  }

  private static IndexWire.Ids ids(String text) {
    return IndexWire.read(text, IndexWire.Ids.class);
  }

  /** A process without an index answers 404. */
  private HttpResponse<String> answer(Function<TableIndex, Object> work) {
    if (index == null) {
      return HttpResponse.notFound();
    }
    try {
      return HttpResponse.ok(IndexWire.write(work.apply(index)));
    } catch (IllegalArgumentException e) {
      return HttpResponse.badRequest(IndexWire.write(String.valueOf(e.getMessage())));
    }
  }
}
