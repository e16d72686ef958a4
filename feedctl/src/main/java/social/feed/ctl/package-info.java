/** The command line: {@code ./feed up | import | verify}. */
@NullMarked
package social.feed.ctl;

import org.jspecify.annotations.NullMarked;
