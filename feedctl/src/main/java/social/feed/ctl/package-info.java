/** The command line: {@code ./feed up | import | verify | load | plan | erasure | dlq}. */
@NullMarked
package social.feed.ctl;

import org.jspecify.annotations.NullMarked;
