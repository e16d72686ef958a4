/** Who is calling. */
@NullMarked
package social.feed.api.edge.security;

import org.jspecify.annotations.NullMarked;
