@NullMarked
package social.feed.table.graph;

import org.jspecify.annotations.NullMarked;
