/** Tests of the packaged function. */
@NullMarked
package social.feed.streams;

import org.jspecify.annotations.NullMarked;
