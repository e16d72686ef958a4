/** Endpoints for operators and tools: health, metrics, the OpenAPI document. */
@NullMarked
package social.feed.api.edge.operations;

import org.jspecify.annotations.NullMarked;
