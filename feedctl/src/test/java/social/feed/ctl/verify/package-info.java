@NullMarked
package social.feed.ctl.verify;

import org.jspecify.annotations.NullMarked;
