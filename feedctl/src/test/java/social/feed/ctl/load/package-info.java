@NullMarked
package social.feed.ctl.load;

import org.jspecify.annotations.NullMarked;
