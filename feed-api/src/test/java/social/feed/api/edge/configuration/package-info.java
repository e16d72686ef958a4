@NullMarked
package social.feed.api.edge.configuration;

import org.jspecify.annotations.NullMarked;
