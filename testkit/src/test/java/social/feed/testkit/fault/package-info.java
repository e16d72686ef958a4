/** Tests of the fault injection. */
@NullMarked
package social.feed.testkit.fault;

import org.jspecify.annotations.NullMarked;
