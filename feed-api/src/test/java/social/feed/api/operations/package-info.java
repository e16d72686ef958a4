@NullMarked
package social.feed.api.operations;

import org.jspecify.annotations.NullMarked;
