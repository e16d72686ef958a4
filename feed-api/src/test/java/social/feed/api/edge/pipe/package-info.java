@NullMarked
package social.feed.api.edge.pipe;

import org.jspecify.annotations.NullMarked;
