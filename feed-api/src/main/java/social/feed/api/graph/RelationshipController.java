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

/** Relationships of the caller. */
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
      summary = "Relationships between the caller and up to 30 accounts",
      description =
          "`ids` are separated by commas; an unknown id has no relationship. Strongly consistent. Two"
              + " read units an account, one more for each with a relationship, and two more.")
  @Get
  RelationshipsBody listRelationships(
      Viewer viewer, @QueryValue @Pattern(regexp = IDS) String ids) {
    Set<String> others = new LinkedHashSet<>(List.of(ids.split(",")));
    ViewerRelations relations = viewer.relations();
    // One batch for all: a caller with very many rows would cost a read for each account below.
    Set<String> silenced = relations.silenced(others);
    var stored =
        follows.relationships(viewer.userId(), others).entrySet().stream()
            .map(e -> RelationshipBody.of(e.getKey(), e.getValue()))
            .map(one -> silenced.contains(one.id()) ? one.with(relations) : one)
            .toList();
    return new RelationshipsBody(withoutGone(stored));
  }

  /** The rows that name an erased account are removed after the account itself. */
  private List<RelationshipBody> withoutGone(List<RelationshipBody> relationships) {
    Set<String> existing =
        users.there(
            relationships.stream()
                .filter(relationship -> !relationship.isNone())
                .map(RelationshipBody::id)
                .toList());
    return relationships.stream()
        .map(one -> existing.contains(one.id()) ? one : RelationshipBody.none(one.id()))
        .toList();
  }
}
