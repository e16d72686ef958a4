/** The cost of a response in request units. */
@NullMarked
package social.feed.api.edge.cost;

import org.jspecify.annotations.NullMarked;
