/** Rules for texts that users write. */
@NullMarked
package social.feed.api.edge.text;

import org.jspecify.annotations.NullMarked;
