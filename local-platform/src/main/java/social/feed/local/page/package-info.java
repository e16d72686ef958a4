/** The page of the local platform, and the interface that it reads. */
@NullMarked
package social.feed.local.page;

import org.jspecify.annotations.NullMarked;
