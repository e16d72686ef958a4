/** The client of the table. */
@NullMarked
package social.feed.api.dynamodb;

import org.jspecify.annotations.NullMarked;
