@NullMarked
package social.feed.api.edge.cache;

import org.jspecify.annotations.NullMarked;
