/** The REST API: the server, and one package for each feature. */
@NullMarked
package social.feed.api;

import org.jspecify.annotations.NullMarked;
