package social.feed.api.graph;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * How the caller and some accounts stand to each other.
 *
 * @param items one for each account that was asked for, in that order
 */
@Serdeable
@Schema(name = "Relationships")
record RelationshipsBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) List<RelationshipBody> items) {}
