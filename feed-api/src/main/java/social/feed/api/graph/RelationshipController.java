package social.feed.api.graph;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import social.feed.api.security.ForMembers;
import social.feed.api.security.Viewer;
import social.feed.table.graph.Follows;

/** How the caller stands to others. */
@ForMembers
@Controller("/v1/relationships")
@Tag(name = "graph")
class RelationshipController {
  private static final String IDS = "^[A-Za-z0-9_-]{1,64}(,[A-Za-z0-9_-]{1,64}){0,29}$";

  private final Follows follows;

  RelationshipController(Follows follows) {
    this.follows = follows;
  }

  @Operation(
      summary = "How the caller and up to 30 accounts stand to each other",
      description =
          "`ids` with commas in between; one that nobody has stands in no relation. Two read units an"
              + " account and two more, strongly consistent.")
  @Get
  RelationshipsBody listRelationships(
      Viewer viewer, @QueryValue @Pattern(regexp = IDS) String ids) {
    Set<String> others = new LinkedHashSet<>(List.of(ids.split(",")));
    var items =
        follows.relationships(viewer.userId(), others).entrySet().stream()
            .map(e -> RelationshipBody.of(e.getKey(), e.getValue(), viewer.boundary()))
            .toList();
    return new RelationshipsBody(items);
  }
}
