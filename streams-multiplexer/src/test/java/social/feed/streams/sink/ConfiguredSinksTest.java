package social.feed.streams.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;

/** Which events the sinks of a configuration get. */
class ConfiguredSinksTest {
  private static final List<String> NAMES = List.of("eventbridge", "kafka", SearchSink.NAME);

  private static DomainEvent event(EventType type, Map<String, ? extends Object> data) {
    return new DomainEvent(type, Instant.EPOCH, "account:ann", "1", "ann", new TreeMap<>(data));
  }

  private static final DomainEvent NOTIFIED =
      event(
          EventType.NOTIFICATION_CREATED,
          Map.of("user_id", "ann", "notification_id", "1", "kind", "like"));
  private static final DomainEvent SUSPICIOUS =
      event(
          EventType.ACCOUNT_SUSPICIOUS,
          Map.of("user_id", "ann", "score", 50L, "reasons", List.of("follow_burst")));
  private static final DomainEvent FOLLOWED =
      event(EventType.FOLLOW_CREATED, Map.of("follower_id", "ann", "followee_id", "bob"));
  private static final DomainEvent ERASED =
      event(EventType.ACCOUNT_ERASED, Map.of("user_id", "ann"));

  @Test
  void sinks_getThePublicEvents_andTheIndexThoseOfItsEntries() {
    var sinks = new ConfiguredSinks(NAMES, Set.of());

    assertThat(sinks.wanting(ERASED)).isEqualTo(NAMES);
    assertThat(sinks.wanting(FOLLOWED)).containsExactly("eventbridge", "kafka");
    assertThat(sinks.wanting(NOTIFIED)).isEmpty();
    assertThat(sinks.wanting(SUSPICIOUS)).isEmpty();
  }

  @Test
  void typeThatIsNotPublic_isGivenWhereItIsNamed_andNeverToTheIndex() {
    var sinks = new ConfiguredSinks(NAMES, Set.of(EventType.NOTIFICATION_CREATED));

    assertThat(sinks.wanting(NOTIFIED)).containsExactly("eventbridge", "kafka");
    assertThat(sinks.wanting(SUSPICIOUS)).isEmpty();
    assertThat(sinks.wanting(ERASED)).isEqualTo(NAMES);
  }

  /** A message that is on its way since the type was given reaches no sink any more. */
  @Test
  void typeThatIsNoLongerGiven_isDropped() {
    var got = new ArrayList<EventType>();
    Publisher publisher = event -> got.add(event.type());

    for (var given : List.of(Set.<EventType>of(), Set.of(EventType.NOTIFICATION_CREATED))) {
      var sinks = new ConfiguredSinks(NAMES, given).dropping(publisher);
      sinks.publish(FOLLOWED);
      sinks.publish(NOTIFIED);
      sinks.publish(SUSPICIOUS);
    }

    assertThat(got)
        .containsExactly(
            EventType.FOLLOW_CREATED, EventType.FOLLOW_CREATED, EventType.NOTIFICATION_CREATED);
  }
}
