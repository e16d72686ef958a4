/** Tests of the image, whose instructions are executed without a container engine. */
@NullMarked
package social.feed.image;

import org.jspecify.annotations.NullMarked;
