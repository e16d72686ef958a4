/** What others are told of authors who became celebrities. */
@NullMarked
package social.feed.streams.celebrity;

import org.jspecify.annotations.NullMarked;
