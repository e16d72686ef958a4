/** Tests of the comparison of a search index with its table. */
@NullMarked
package social.feed.ctl.search;

import org.jspecify.annotations.NullMarked;
