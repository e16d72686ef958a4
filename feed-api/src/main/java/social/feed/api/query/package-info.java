/** What all query strings have in common. */
@NullMarked
package social.feed.api.query;

import org.jspecify.annotations.NullMarked;
