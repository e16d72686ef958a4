package social.feed.streams.sink;

import java.util.List;
import java.util.Set;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;

/**
 * The sinks that a platform is started with, which have no list of types. All get the public
 * events, except the search index, which gets those of its entries.
 *
 * @param names of the sinks
 * @param notPublic the types of events that they get although not everyone may know them
 */
public record ConfiguredSinks(List<String> names, Set<EventType> notPublic) {
  /** There are none. */
  public static final ConfiguredSinks NONE = new ConfiguredSinks(List.of(), Set.of());

  public ConfiguredSinks {
    names = List.copyOf(names);
    notPublic = Set.copyOf(notPublic);
  }

  /** Returns whether there is the search index. */
  public boolean haveSearch() {
    return names.contains(SearchSink.NAME);
  }

  /** Returns the names of those that want an event. */
  public List<String> wanting(DomainEvent event) {
    return names.stream()
        .filter(name -> name.equals(SearchSink.NAME) ? SearchSink.isOfEntry(event) : isGiven(event))
        .toList();
  }

  private boolean isGiven(DomainEvent event) {
    return event.type().isPublic() || notPublic.contains(event.type());
  }

  /**
   * Returns a publisher that drops what these sinks do not get. A message may be on its way since
   * they got it.
   */
  public Publisher dropping(Publisher publisher) {
    return new Publisher() {
      @Override
      public boolean wants(DomainEvent event) {
        return isGiven(event);
      }

      @Override
      public void publish(DomainEvent event) {
        if (wants(event)) {
          publisher.publish(event);
        }
      }
    };
  }
}
