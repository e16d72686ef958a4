@NullMarked
package social.feed.table.kernel.declaration;

import org.jspecify.annotations.NullMarked;
