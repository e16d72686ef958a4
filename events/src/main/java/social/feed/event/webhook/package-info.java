/** Calls of webhooks: signed, with an end, and to public addresses only. */
@NullMarked
package social.feed.event.webhook;

import org.jspecify.annotations.NullMarked;
