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
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.ViewerRelations;
import social.feed.table.user.Users;

/** How the caller stands to others. */
@RequiresToken
@Controller("/v1/relationships")
@Tag(name = "graph")
class RelationshipController {
  private static final String IDS = "^[A-Za-z0-9_-]{1,64}(,[A-Za-z0-9_-]{1,64}){0,29}$";

  private final FollowEdges follows;
  private final Users users;

  RelationshipController(FollowEdges follows, Users users) {
    this.follows = follows;
    this.users = users;
  }

  @Operation(
      summary = "How the caller and up to 30 accounts stand to each other",
      description =
          "`ids` with commas in between; one that nobody has stands in no relation. Two read units an"
              + " account, one more for each that stands in any, and two more, strongly consistent.")
  @Get
  RelationshipsBody listRelationships(
      Viewer viewer, @QueryValue @Pattern(regexp = IDS) String ids) {
    Set<String> others = new LinkedHashSet<>(List.of(ids.split(",")));
    ViewerRelations boundary = viewer.boundary();
    // Of all at once: of who has very many rows each account would be looked up by itself below.
    Set<String> silenced = boundary.silenced(others);
    var stored =
        follows.relationships(viewer.userId(), others).entrySet().stream()
            .map(e -> RelationshipBody.of(e.getKey(), e.getValue()))
            .map(one -> silenced.contains(one.id()) ? one.beside(boundary) : one)
            .toList();
    return new RelationshipsBody(withoutGone(stored));
  }

  /** What ties somebody to an account that was erased is removed only after it. */
  private List<RelationshipBody> withoutGone(List<RelationshipBody> stored) {
    Set<String> there =
        users.there(
            stored.stream()
                .filter(relationship -> !relationship.isNone())
                .map(RelationshipBody::id)
                .toList());
    return stored.stream()
        .map(one -> there.contains(one.id()) ? one : RelationshipBody.none(one.id()))
        .toList();
  }
}
