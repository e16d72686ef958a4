@NullMarked
package social.feed.ctl.graph;

import org.jspecify.annotations.NullMarked;
