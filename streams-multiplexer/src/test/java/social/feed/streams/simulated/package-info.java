/** The multiplexer in the simulations of {@code testkit}, for the tests of several modules. */
@NullMarked
package social.feed.streams.simulated;

import org.jspecify.annotations.NullMarked;
