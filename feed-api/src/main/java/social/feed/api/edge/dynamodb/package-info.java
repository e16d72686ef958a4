/** The client of the table. */
@NullMarked
package social.feed.api.edge.dynamodb;

import org.jspecify.annotations.NullMarked;
