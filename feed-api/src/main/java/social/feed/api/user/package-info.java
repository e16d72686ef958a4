/** Profiles: registering, reading, changing. */
@NullMarked
package social.feed.api.user;

import org.jspecify.annotations.NullMarked;
