/** Tests of the multiplexer's package, as a zip and as a running function. */
@NullMarked
package social.feed.streams;

import org.jspecify.annotations.NullMarked;
