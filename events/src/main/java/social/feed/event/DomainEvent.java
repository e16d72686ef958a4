package social.feed.event;

import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import social.feed.table.kernel.id.Sha256;

/**
 * Something that happened, for other systems. It may arrive more than once and in any order. Two
 * events with one {@link #id} are the same event. Of two events of one entity the one with the
 * higher {@link #version} happened later.
 *
 * @param type what happened
 * @param at when the table changed, to the second
 * @param entity what it happened to, such as {@code post:01J…}: always the same row of the table
 * @param version the place of the change among those of its row, as text of one length that sorts:
 *     the second of the change, then its sequence number in the table's stream. A row that is
 *     deleted and written again goes on. The version of a deletion that nothing follows begins a
 *     day after its time
 * @param actor the account that did it, as far as the row says: its author, or the account itself
 * @param data the fields of the type
 */
public record DomainEvent(
    EventType type,
    Instant at,
    String entity,
    String version,
    String actor,
    SortedMap<String, Object> data) {
  /** The order of the events of one entity. */
  public static final Comparator<DomainEvent> BY_VERSION =
      Comparator.comparing(DomainEvent::version).thenComparing(DomainEvent::type);

  private static final int ID_LENGTH = 32;

  /**
   * @throws IllegalArgumentException for data that the type does not declare
   */
  public DomainEvent {
    type.require(data);
    data = Collections.unmodifiableSortedMap(new TreeMap<>(data));
  }

  /** Returns the identifier: {@code evt_} and a hash of entity, version and type. */
  public String id() {
    var name = String.join("\n", entity, version, type.eventName());
    return "evt_" + Sha256.hex(name).substring(0, ID_LENGTH);
  }

  /** Returns the event with more fields in its data. */
  public DomainEvent with(Map<String, Object> more) {
    var all = new TreeMap<>(data);
    all.putAll(more);
    return new DomainEvent(type, at, entity, version, actor, all);
  }
}
