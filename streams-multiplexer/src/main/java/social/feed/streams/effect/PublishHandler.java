package social.feed.streams.effect;

import java.util.List;
import social.feed.event.DomainEvent;
import social.feed.streams.sink.EventOutbox;

/**
 * Puts events on the queue of the sinks, ten messages a request. No units of the table. Publishing
 * is not its work: a sink that is down delays no lane.
 */
public final class PublishHandler implements EffectHandler<PublishHandler.Publish> {
  /** An event for other systems. */
  public record Publish(DomainEvent event) implements Effect {}

  private final EventOutbox outbox;

  public PublishHandler(EffectContext context) {
    this.outbox = context.outbox;
  }

  @Override
  public void apply(List<Publish> effects) {
    outbox.put(effects.stream().map(Publish::event).toList());
  }
}
