/** The command line: {@code ./feed up | import | verify | load | erasure | dlq}. */
@NullMarked
package social.feed.ctl;

import org.jspecify.annotations.NullMarked;
