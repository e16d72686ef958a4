/** The page in a browser. */
@NullMarked
package social.feed.ctl.page;

import org.jspecify.annotations.NullMarked;
