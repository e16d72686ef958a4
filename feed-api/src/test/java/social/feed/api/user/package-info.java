@NullMarked
package social.feed.api.user;

import org.jspecify.annotations.NullMarked;
