@NullMarked
package social.feed.api.edge.problem;

import org.jspecify.annotations.NullMarked;
