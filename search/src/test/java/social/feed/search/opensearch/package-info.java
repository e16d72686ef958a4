/** Tests of the index on a server of OpenSearch. */
@NullMarked
package social.feed.search.opensearch;

import org.jspecify.annotations.NullMarked;
