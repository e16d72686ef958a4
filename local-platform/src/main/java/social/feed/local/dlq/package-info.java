/** The dead letters of a queue: receives, shows and deletes them. */
@NullMarked
package social.feed.local.dlq;

import org.jspecify.annotations.NullMarked;
