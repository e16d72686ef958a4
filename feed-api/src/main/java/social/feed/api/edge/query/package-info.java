/** Rules that apply to all query strings and ids. */
@NullMarked
package social.feed.api.edge.query;

import org.jspecify.annotations.NullMarked;
