/** Webhooks of the deployment, for operators. */
@NullMarked
package social.feed.api.webhook;

import org.jspecify.annotations.NullMarked;
