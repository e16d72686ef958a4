/** Measures on a follower graph how well abnormal follow behavior is recognized. */
@NullMarked
package social.feed.ctl.suspicion;

import org.jspecify.annotations.NullMarked;
