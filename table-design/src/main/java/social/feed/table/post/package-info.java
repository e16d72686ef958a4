@NullMarked
package social.feed.table.post;

import org.jspecify.annotations.NullMarked;
