/** Tests of the trial of suspicious follows. */
@NullMarked
package social.feed.ctl.suspicion;

import org.jspecify.annotations.NullMarked;
