/**
 * The contract of the table, checked on the real engine: each access pattern, what each write costs
 * and what the stores promise when calls repeat, race or fail.
 */
@NullMarked
package social.feed.contract;

import org.jspecify.annotations.NullMarked;
