@NullMarked
package social.feed.ctl.demo;

import org.jspecify.annotations.NullMarked;
