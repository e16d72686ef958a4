/** The edge of the API: everything between HTTP and the product packages. */
@NullMarked
package social.feed.api.edge;

import org.jspecify.annotations.NullMarked;
