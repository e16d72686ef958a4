/** Compares a search index with the table and corrects it, while events are written to it. */
@NullMarked
package social.feed.streams.index;

import org.jspecify.annotations.NullMarked;
