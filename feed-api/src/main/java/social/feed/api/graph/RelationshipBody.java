package social.feed.api.graph;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import social.feed.table.graph.Relationship;
import social.feed.table.graph.ViewerRelations;

/**
 * The relationship between the caller and an account.
 *
 * @param id the account
 * @param following the caller follows it
 * @param followedBy it follows the caller
 * @param mutual both follow each other
 * @param special the caller follows it specially
 * @param blocking the caller blocks it
 * @param blockedBy it blocks the caller
 * @param muting the caller mutes it now
 */
@Serdeable
@Schema(name = "Relationship")
record RelationshipBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String id,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) boolean following,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) boolean followedBy,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) boolean mutual,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) boolean special,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) boolean blocking,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) boolean blockedBy,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) boolean muting) {

  /** A relationship without blocks and mutes. */
  static RelationshipBody of(String id, Relationship edges) {
    return new RelationshipBody(
        id,
        edges.following(),
        edges.followedBy(),
        edges.mutual(),
        edges.special(),
        false,
        false,
        false);
  }

  /** Returns this relationship with the blocks and mutes between the two. */
  RelationshipBody with(ViewerRelations relations) {
    return new RelationshipBody(
        id,
        following,
        followedBy,
        mutual,
        special,
        relations.blocks(id),
        relations.isBlockedBy(id),
        relations.mutes(id));
  }

  static RelationshipBody none(String id) {
    return new RelationshipBody(id, false, false, false, false, false, false, false);
  }

  boolean isNone() {
    return equals(none(id));
  }
}
