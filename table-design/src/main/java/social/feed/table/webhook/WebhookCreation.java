package social.feed.table.webhook;

/** How the creation of a webhook ended. */
public enum WebhookCreation {
  /** It is stored. */
  CREATED,
  /** There are as many webhooks as there may be. */
  LIMIT_REACHED
}
