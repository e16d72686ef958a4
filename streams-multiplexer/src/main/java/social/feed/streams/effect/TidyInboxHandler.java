package social.feed.streams.effect;

import java.util.List;
import social.feed.table.notification.Inboxes;

/**
 * Does one part of the work on the notifications of an account and notes the progress, which comes
 * back through the stream and triggers the next part. It uses the inbox as it is now, so a replay
 * finds the work done, and concurrent parts do the same once.
 */
public final class TidyInboxHandler implements EffectHandler<TidyInboxHandler.TidyInbox> {
  /** Does the next part of the work on the notifications of an account. */
  public record TidyInbox(String userId) implements Effect {}

  private final Inboxes inboxes;

  public TidyInboxHandler(EffectContext context) {
    this.inboxes = new Inboxes(context.table);
  }

  @Override
  public void apply(List<TidyInbox> effects) {
    effects.stream().map(TidyInbox::userId).distinct().forEach(inboxes::advance);
  }
}
