@NullMarked
package social.feed.local.page;

import org.jspecify.annotations.NullMarked;
