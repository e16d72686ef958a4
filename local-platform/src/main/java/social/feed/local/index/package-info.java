/** Keeps a search index equal to the table, from this process or from another one. */
@NullMarked
package social.feed.local.index;

import org.jspecify.annotations.NullMarked;
