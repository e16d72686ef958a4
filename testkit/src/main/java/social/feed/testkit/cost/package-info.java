/** A model of the request units that DynamoDB bills, after its developer guide. */
@NullMarked
package social.feed.testkit.cost;

import org.jspecify.annotations.NullMarked;
