/** A platform that is killed every few seconds under writers who never give up. */
@NullMarked
package social.feed.ctl.soak;

import org.jspecify.annotations.NullMarked;
