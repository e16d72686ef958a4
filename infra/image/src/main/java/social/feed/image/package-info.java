/** The requests of the rehearsal whose cache is part of the API's image. */
@NullMarked
package social.feed.image;

import org.jspecify.annotations.NullMarked;
