package social.feed.api.edge.matrix;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Arrays;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.security.RequiresToken;
import social.feed.table.access.AccessPattern;

/** Serves the access-pattern matrix from the declarations that the code uses. */
@RequiresToken
@Controller("/v1/access-patterns")
@Tag(name = "operations")
class MatrixController {

  @Operation(summary = "The access patterns of the table")
  @Get
  PageBody<PatternBody> listAccessPatterns() {
    return new PageBody<>(
        Arrays.stream(AccessPattern.values()).map(PatternBody::of).toList(), null);
  }
}
