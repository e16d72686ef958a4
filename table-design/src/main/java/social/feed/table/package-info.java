/**
 * The table: {@code declaration} says what it is, {@code row} what it holds, {@code access} which
 * questions it answers; the stores by noun answer them.
 */
@NullMarked
package social.feed.table;

import org.jspecify.annotations.NullMarked;
