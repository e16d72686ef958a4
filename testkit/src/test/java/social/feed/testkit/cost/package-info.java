/** Tests of the model of billed units. */
@NullMarked
package social.feed.testkit.cost;

import org.jspecify.annotations.NullMarked;
