/** Errors: one form of refusal, one catalogue, one document (RFC 9457). */
@NullMarked
package social.feed.api.edge.problem;

import org.jspecify.annotations.NullMarked;
