@NullMarked
package social.feed.table.kernel.schema;

import org.jspecify.annotations.NullMarked;
