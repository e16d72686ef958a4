/** Recognizes abnormal follow behavior from what the follow quota counts. */
@NullMarked
package social.feed.table.suspicion;

import org.jspecify.annotations.NullMarked;
