/** Kills processes of the platform every few seconds while clients write and read. */
@NullMarked
package social.feed.ctl.soak;

import org.jspecify.annotations.NullMarked;
