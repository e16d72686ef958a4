/** The check of settings at the start. */
@NullMarked
package social.feed.api.edge.configuration;

import org.jspecify.annotations.NullMarked;
