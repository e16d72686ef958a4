/**
 * Runs the multiplexer in simulated histories, at each crash point of each flow, and with planted
 * bugs that the histories must find. {@code social.feed.testkit.simulation} holds the simulation.
 */
@NullMarked
package social.feed.simulation;

import org.jspecify.annotations.NullMarked;
