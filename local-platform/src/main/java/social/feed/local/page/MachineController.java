package social.feed.local.page;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Shows the lanes, the dead letters and the routes. On the local platform only. */
@Controller("/v1/dev/machine")
@Secured(SecurityRule.IS_ANONYMOUS)
@Requires(beans = MachineRoom.class)
@Produces(MediaType.APPLICATION_JSON)
@ExecuteOn(TaskExecutors.BLOCKING)
final class MachineController {
  private final MachineRoom room;
  private final RouteCurves curves;

  MachineController(MachineRoom room, RouteCurves curves) {
    this.room = room;
    this.curves = curves;
  }

  /**
   * Returns the lanes.
   *
   * @return {@code items}, and {@code registrations}: how many accounts this process created, so
   *     that the page reads them when there are new ones
   */
  @Get("/lanes")
  String lanes() {
    return PageJson.of(Map.of("items", room.lanes(), "registrations", curves.registrations()));
  }

  /** Returns curves of 90 steps of ten seconds for each route that this process has served. */
  @Get("/routes")
  String routes() {
    return items(curves.curves());
  }

  @Get("/dead-letters")
  String deadLetters() {
    return items(room.deadLetters());
  }

  @Post("/dead-letters/{id}/redrive")
  @Nullable String redrive(@PathVariable String id) {
    return result(room.redrive(id));
  }

  @Delete("/dead-letters/{id}")
  @Nullable String drop(@PathVariable String id) {
    return result(room.drop(id));
  }

  /** Returns the state of the last run of the verification, with the result of each check. */
  @Get("/verification")
  String verification() {
    return PageJson.of(room.verification().status());
  }

  /** Starts to verify the table, unless a run is under way, and returns at once. */
  @Post("/verification")
  String verify() {
    return PageJson.of(room.verification().start());
  }

  private static String items(List<?> items) {
    return PageJson.of(Map.of("items", items));
  }

  private static @Nullable String result(Optional<String> words) {
    return words.map(result -> PageJson.of(Map.of("result", result))).orElse(null);
  }
}
