@NullMarked
package social.feed.table.declaration;

import org.jspecify.annotations.NullMarked;
