/** Webhooks of the deployment, and their last calls. */
@NullMarked
package social.feed.table.webhook;

import org.jspecify.annotations.NullMarked;
