/** The search index, as lists of this API read it. */
@NullMarked
package social.feed.api.search;

import org.jspecify.annotations.NullMarked;
