/** Traces: spans, where they are sent, and how a trace passes through the table. */
@NullMarked
package social.feed.table.kernel.trace;

import org.jspecify.annotations.NullMarked;
