/** Faults between a store and its table, at random by a seed or at a chosen call. */
@NullMarked
package social.feed.testkit.fault;

import org.jspecify.annotations.NullMarked;
