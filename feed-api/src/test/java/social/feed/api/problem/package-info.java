@NullMarked
package social.feed.api.problem;

import org.jspecify.annotations.NullMarked;
