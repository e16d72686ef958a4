/** What operators and tools read: health, metrics, the OpenAPI document. */
@NullMarked
package social.feed.api.edge.operations;

import org.jspecify.annotations.NullMarked;
