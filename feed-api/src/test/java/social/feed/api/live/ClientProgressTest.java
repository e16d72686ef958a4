package social.feed.api.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.time.Timestamps;

/**
 * A list that receives items late and out of order, and a client that disconnects at any item, also
 * within the result of one poll.
 */
class ClientProgressTest {
  private static final Instant START = Instant.parse("2026-11-20T09:00:00Z");
  private static final int LATE_MILLIS = 10_000;

  private final List<EventCursor> stored = new ArrayList<>();
  private final List<EventCursor> received = new ArrayList<>();
  private Instant now = START;
  private String id =
      new EventId(Timestamps.format(START), ClientProgress.from(EventCursor.at(START))).text();

  @ParameterizedTest
  @CsvSource({"1, 3, 9000", "2, 40, 9000", "3, 200, 50", "4, 60, 1", "5, 1, 9000"})
  void client_thatReconnectsAnywhere_getsEachItemOnce(long seed, int mostAtOnce, int spreadMillis) {
    Random random = new Random(seed);
    ClientProgress inMemory = EventId.parse(id, now).progress();
    for (int look = 0; look < 200; look++) {
      now = now.plusMillis(random.nextInt(1, 1_000));
      Instant earliest = earliest();
      for (int i = random.nextInt(mostAtOnce + 1); i > 0; i--) {
        stored.add(arriving(random, earliest, spreadMillis));
      }
      if (random.nextInt(4) == 0) {
        inMemory = EventId.parse(id, now).progress();
      }
      inMemory = look(inMemory, random.nextInt(5) == 0 ? random.nextInt(10) : Integer.MAX_VALUE);
    }
    look(EventId.parse(id, now).progress(), Integer.MAX_VALUE);

    assertThat(received).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(stored);
  }

  /** Items that arrive after the limit of later ones are not expected. */
  private Instant earliest() {
    return stored.stream()
        .sorted(Comparator.reverseOrder())
        .skip(ClientProgress.SENT_MAX - 1)
        .findFirst()
        .map(mark -> mark.time().plusMillis(1))
        .orElse(START.plusMillis(1));
  }

  private EventCursor arriving(Random random, Instant earliest, int spreadMillis) {
    Instant own = now.minusMillis(random.nextInt(spreadMillis));
    return EventCursor.of(TimeOrderedId.random(own.isAfter(earliest) ? own : earliest, random));
  }

  @Test
  void moreItemsThanTheLimit_raiseTheFloor() {
    ClientProgress progress = ClientProgress.from(EventCursor.at(START));
    List<EventCursor> all = new ArrayList<>();
    for (int i = 1; i <= ClientProgress.SENT_MAX + 1; i++) {
      all.add(EventCursor.at(START.plusMillis(i)));
      progress = progress.with(all.getLast());
    }

    assertThat(progress.floor()).isEqualTo(all.getFirst());
    assertThat(progress.sent()).containsExactlyElementsOf(all.subList(1, all.size()));
    assertThat(all).noneMatch(progress::lacks);
  }

  /** Acts as a stream whose client disconnects after the first events. */
  private ClientProgress look(ClientProgress before, int receives) {
    ClientProgress progress = before;
    int sent = 0;
    List<EventCursor> lacked =
        stored.stream().filter(before::lacks).sorted(Comparator.naturalOrder()).toList();
    for (EventCursor one : lacked) {
      progress = progress.with(one);
      if (sent++ < receives) {
        received.add(one);
        id = new EventId(Timestamps.format(one.time()), progress).text();
        assertThat(id).hasSizeLessThan(1_000);
      }
    }
    if (receives < lacked.size()) {
      return EventId.parse(id, now).progress();
    }
    progress = progress.raisedTo(EventCursor.at(now.minusMillis(LATE_MILLIS)));
    id = new EventId(Timestamps.format(now), progress).text();
    return progress;
  }
}
