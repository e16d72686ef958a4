/** What all query strings have in common. */
@NullMarked
package social.feed.api.edge.query;

import org.jspecify.annotations.NullMarked;
