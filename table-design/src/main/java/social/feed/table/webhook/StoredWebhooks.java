package social.feed.table.webhook;

import java.util.List;
import social.feed.table.row.Webhook;

/**
 * The webhooks of a registry, as far as they can be read.
 *
 * @param readable oldest first
 * @param unreadable the ids of those whose row cannot be decoded, sorted
 */
public record StoredWebhooks(List<Webhook> readable, List<String> unreadable) {}
