/** Kills the platform every few seconds while writers send and retry requests. */
@NullMarked
package social.feed.ctl.soak;

import org.jspecify.annotations.NullMarked;
