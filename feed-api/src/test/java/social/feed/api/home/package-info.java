@NullMarked
package social.feed.api.home;

import org.jspecify.annotations.NullMarked;
