/** Rebuilds the search index from the table, and compares both. */
@NullMarked
package social.feed.ctl.search;

import org.jspecify.annotations.NullMarked;
