/** The image's instructions, carried out without an engine for containers. */
@NullMarked
package social.feed.image;

import org.jspecify.annotations.NullMarked;
