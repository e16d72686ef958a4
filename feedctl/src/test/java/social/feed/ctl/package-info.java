@NullMarked
package social.feed.ctl;

import org.jspecify.annotations.NullMarked;
