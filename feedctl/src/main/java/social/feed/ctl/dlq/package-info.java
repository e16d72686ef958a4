/** The dead-letter queue: shows dead letters, applies them again and drops them. */
@NullMarked
package social.feed.ctl.dlq;

import org.jspecify.annotations.NullMarked;
