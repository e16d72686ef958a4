/** The form of log lines, which API and function share: no personal data, one line each. */
@NullMarked
package social.feed.table.log;

import org.jspecify.annotations.NullMarked;
