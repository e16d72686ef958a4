/**
 * The matrix of operations and knobs: what each route, stream effect and command costs when one
 * dimension of the platform is small and when it is large.
 */
@NullMarked
package social.feed.bounds;

import org.jspecify.annotations.NullMarked;
