/** Tests of searches. */
@NullMarked
package social.feed.api.search;

import org.jspecify.annotations.NullMarked;
