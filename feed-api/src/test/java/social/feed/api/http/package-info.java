@NullMarked
package social.feed.api.http;

import org.jspecify.annotations.NullMarked;
