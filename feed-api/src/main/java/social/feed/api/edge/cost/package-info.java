/** What an answer cost, in request units. */
@NullMarked
package social.feed.api.edge.cost;

import org.jspecify.annotations.NullMarked;
