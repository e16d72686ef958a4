/** The queue of dead letters: looking at it, applying letters again, dropping them. */
@NullMarked
package social.feed.ctl.dlq;

import org.jspecify.annotations.NullMarked;
