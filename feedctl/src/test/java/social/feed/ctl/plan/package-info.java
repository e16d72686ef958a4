@NullMarked
package social.feed.ctl.plan;

import org.jspecify.annotations.NullMarked;
