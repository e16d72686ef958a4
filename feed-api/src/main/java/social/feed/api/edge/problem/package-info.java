/** Every error the server answers, in one shape (RFC 9457). */
@NullMarked
package social.feed.api.edge.problem;

import org.jspecify.annotations.NullMarked;
