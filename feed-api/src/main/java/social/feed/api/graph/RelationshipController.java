package social.feed.api.graph;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.UserIds;
import social.feed.api.edge.security.Viewer;
import social.feed.table.access.AccessPattern;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.ViewerRelations;
import social.feed.table.user.Users;

/** Relationships of the caller. */
@RequiresToken
@Controller("/v1/relationships")
@Tag(name = "graph")
class RelationshipController {
  private static final String IDS = "^" + UserIds.ID + "(," + UserIds.ID + "){0,29}$";

  private final FollowEdges follows;
  private final Users users;
  private final Pages pages;

  RelationshipController(FollowEdges follows, Users users, Pages pages) {
    this.follows = follows;
    this.users = users;
    this.pages = pages;
  }

  @Operation(
      summary = "Relationships between the caller and up to 30 accounts",
      description =
          "`ids` are separated by commas; an unknown id has no relationship. Strongly consistent. Two"
              + " read units an account, one more for each with a relationship, and two more.")
  @Get
  RelationshipsBody listRelationships(
      Viewer viewer, @QueryValue @Pattern(regexp = IDS) String ids) {
    List<String> others = List.copyOf(new LinkedHashSet<>(List.of(ids.split(","))));
    return new RelationshipsBody(
        pages
            .list(viewer, AccessPattern.FEED_012, "")
            .skeleton(others)
            .hydrate(references -> relationships(viewer, references))
            .unfiltered()
            .present((known, id) -> known.getOrDefault(id, RelationshipBody.none(id)))
            .first(others.size())
            .items());
  }

  /** Returns the relationships that exist, by id. */
  private Map<String, RelationshipBody> relationships(Viewer viewer, List<String> others) {
    ViewerRelations relations = viewer.relations();
    // One batch for all: a caller with very many rows would cost a read for each account below.
    Set<String> silenced = relations.silenced(others);
    Map<String, RelationshipBody> known =
        follows.relationships(viewer.userId(), Set.copyOf(others)).entrySet().stream()
            .map(e -> RelationshipBody.of(e.getKey(), e.getValue()))
            .map(one -> silenced.contains(one.id()) ? one.with(relations) : one)
            .filter(one -> !one.isNone())
            .collect(Collectors.toMap(RelationshipBody::id, Function.identity()));
    // The rows that name an erased account are removed after the account itself.
    known.keySet().retainAll(users.there(known.keySet()));
    return known;
  }
}
