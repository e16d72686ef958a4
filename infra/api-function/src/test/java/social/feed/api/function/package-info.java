/** Tests of the API as a function. */
@NullMarked
package social.feed.api.function;

import org.jspecify.annotations.NullMarked;
