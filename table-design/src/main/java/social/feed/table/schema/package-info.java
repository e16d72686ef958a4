@NullMarked
package social.feed.table.schema;

import org.jspecify.annotations.NullMarked;
