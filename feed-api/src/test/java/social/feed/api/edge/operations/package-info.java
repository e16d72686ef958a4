@NullMarked
package social.feed.api.edge.operations;

import org.jspecify.annotations.NullMarked;
