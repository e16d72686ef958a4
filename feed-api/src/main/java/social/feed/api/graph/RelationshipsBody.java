package social.feed.api.graph;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * The relationships between the caller and some accounts.
 *
 * @param items one for each requested account, in the order of the request
 */
@Serdeable
@Schema(name = "Relationships")
record RelationshipsBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) List<RelationshipBody> items) {}
