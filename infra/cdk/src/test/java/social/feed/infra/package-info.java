@NullMarked
package social.feed.infra;

import org.jspecify.annotations.NullMarked;
