/** Erasure of the caller's account. */
@NullMarked
package social.feed.api.erasure;

import org.jspecify.annotations.NullMarked;
