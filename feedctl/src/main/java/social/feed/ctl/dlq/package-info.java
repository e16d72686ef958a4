/** Dead letters as a table, and batches that Lambda discarded as files. */
@NullMarked
package social.feed.ctl.dlq;

import org.jspecify.annotations.NullMarked;
