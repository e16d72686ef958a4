/**
 * The contract of the table, checked on a real engine: each access pattern, the cost of each write,
 * and the guarantees of the stores under repeats, races and failures.
 */
@NullMarked
package social.feed.contract;

import org.jspecify.annotations.NullMarked;
