/** Who is calling. */
@NullMarked
package social.feed.api.security;

import org.jspecify.annotations.NullMarked;
