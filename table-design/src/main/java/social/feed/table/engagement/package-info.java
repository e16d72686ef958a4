@NullMarked
package social.feed.table.engagement;

import org.jspecify.annotations.NullMarked;
