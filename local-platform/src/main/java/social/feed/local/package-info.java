/** The whole platform in one process: engine, table, queue, event source, multiplexer and API. */
@NullMarked
package social.feed.local;

import org.jspecify.annotations.NullMarked;
