/**
 * Histories chosen by a seed: what people do, interleaved with how the stream brings it to the
 * function, and with what goes wrong. At the end the table is compared with a plain model.
 *
 * <p>{@link social.feed.testkit.simulation.Simulation} is the way in.
 */
@NullMarked
package social.feed.testkit.simulation;

import org.jspecify.annotations.NullMarked;
