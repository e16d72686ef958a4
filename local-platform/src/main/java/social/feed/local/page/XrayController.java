package social.feed.local.page;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.store.Table;

/** Shows what requests did. On the local platform only. */
@Controller("/v1/dev/xray")
@Secured(SecurityRule.IS_ANONYMOUS)
@Requires(beans = Xray.class)
@ExecuteOn(TaskExecutors.BLOCKING)
final class XrayController {
  private static final int LATEST = 40;

  private final Xray xray;
  private final RowReader rows;

  XrayController(Xray xray, Table table) {
    this.xray = xray;
    this.rows = new RowReader(table);
  }

  /**
   * Returns the latest requests of all clients, newest first, without the page's own reads.
   *
   * @return {@code is_on} and {@code items}, which has none while the X-ray is off
   */
  @Get("/requests")
  @Produces(MediaType.APPLICATION_JSON)
  String requests() {
    List<TraceView.Summary> items =
        xray.all(TraceView::summary).stream()
            .filter(each -> each.status() != null)
            .limit(LATEST)
            .toList();
    return PageJson.of(Map.of("is_on", xray.isOn(), "items", items));
  }

  /**
   * Returns everything that a request did so far, with the rows that it wrote as they are now.
   * Reads each of these rows, strongly consistent.
   *
   * @param id the {@code X-Request-Id} of the response
   */
  @Get("/requests/{id}")
  @Produces(MediaType.APPLICATION_JSON)
  @Nullable String request(@PathVariable String id) {
    return xray.one(id, TraceView::of).map(view -> PageJson.of(view.with(rows))).orElse(null);
  }

  /**
   * Returns partitions of the table with their first rows, strongly consistent.
   *
   * @param keys the keys of the first ones, separated by commas
   */
  @Get("/partitions")
  @Produces(MediaType.APPLICATION_JSON)
  String partitions(@QueryValue(defaultValue = "") String keys) {
    var wanted = Stream.of(keys.split(",")).filter(key -> !key.isEmpty()).toList();
    return PageJson.of(Map.of("items", rows.partitions(wanted)));
  }
}
