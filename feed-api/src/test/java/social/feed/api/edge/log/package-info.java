@NullMarked
package social.feed.api.edge.log;

import org.jspecify.annotations.NullMarked;
