/** The API behind AWS Lambda: the entry for events of an HTTP API of API Gateway. */
@NullMarked
package social.feed.api.function;

import org.jspecify.annotations.NullMarked;
