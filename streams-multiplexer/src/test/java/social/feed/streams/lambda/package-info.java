/** Tests of the multiplexer, without the engine ({@code …Test}) and on it ({@code IT…}). */
@NullMarked
package social.feed.streams.lambda;

import org.jspecify.annotations.NullMarked;
