/** A load on the API: an open schedule of requests, the accounts that send them, and a report. */
@NullMarked
package social.feed.ctl.load;

import org.jspecify.annotations.NullMarked;
