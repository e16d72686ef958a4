/** The DynamoDB client, the stores and their limits as beans. */
@NullMarked
package social.feed.api.edge.dynamodb;

import org.jspecify.annotations.NullMarked;
