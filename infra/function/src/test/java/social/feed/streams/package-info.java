/** What the multiplexer promises, without the engine ({@code …Test}) and on it ({@code IT…}). */
@NullMarked
package social.feed.streams;

import org.jspecify.annotations.NullMarked;
