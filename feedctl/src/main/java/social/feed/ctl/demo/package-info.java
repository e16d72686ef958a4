/** A small world to look at, and what makes it move. */
@NullMarked
package social.feed.ctl.demo;

import org.jspecify.annotations.NullMarked;
