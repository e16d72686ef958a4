/** The index on Lucene, in this process. */
@NullMarked
package social.feed.search.lucene;

import org.jspecify.annotations.NullMarked;
